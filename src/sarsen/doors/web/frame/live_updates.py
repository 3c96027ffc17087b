"""Live updates of pages by long polling: what a page asks, and with which key."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.core.errors import UserError
from sarsen.services.boards.view import BoardView
from sarsen.services.events import live_updates
from sarsen.services.events.topics import IS_HELD, Topic, Watched
from sarsen.services.request import Player

START = "/live/"
_HEADERS = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}


@require_safe
def send_news(request: HttpRequest, key: str) -> HttpResponse:
    """Answer whether a page is still the newest."""
    status, body = _answer(key, is_held=False)
    return HttpResponse(body, status=status, headers=_HEADERS)


def watched(environ: WSGIEnvironment) -> Watched | None:
    """Return what a request watches; None when it is no poll, or its key is not valid."""
    path = environ["PATH_INFO"]
    if not path.startswith(START) or environ["REQUEST_METHOD"] != "GET":
        return None
    stamp = QueryDict(environ["QUERY_STRING"]).get("seen", "")
    return live_updates.watched(_key(path), stamp, timezone.now())


def stamps(topics: Collection[Topic]) -> dict[Topic, str]:
    """Return the stamps of topics as they stand, in a thread that does nothing else."""
    close_old_connections()
    return live_updates.stamps(topics)


def _key(path: str) -> str:
    return path[len(START) :].rstrip("/")


def with_long_polls(
    application: WSGIApplication, begin: Callable[[], None] = close_old_connections
) -> WSGIApplication:
    """Answer the polls of pages before anything else is done with a request.

    They are nine in ten of all requests, and what is done for a page costs more than they do.

    Args:
        begin: What Django does where any request begins.
    """

    def answering(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if not path.startswith(START) or environ["REQUEST_METHOD"] != "GET":
            return application(environ, start)
        begin()
        status, body = _answer(_key(path), is_held=environ.get(IS_HELD, False))
        start(_STATUS[status], [*_HEADERS.items(), ("Content-Length", str(len(body)))])
        return [body]

    return answering


_STATUS = {200: "200 OK", 410: "410 Gone"}


def _answer(key: str, *, is_held: bool) -> tuple[int, bytes]:
    try:
        news = live_updates.news(key, timezone.now(), is_held=is_held)
    except UserError as refusal:
        return 410, json.dumps({"detail": refusal.text}).encode()
    return 200, json.dumps(asdict(news)).encode()


def board_news(view: BoardView, viewer: Player | None) -> dict[str, str]:
    """Return the address that the page of a board polls, and its stamp."""
    event = view.event if view.ply == view.last_ply else None
    return {
        "path": news_path(view.number, viewer),
        "stamp": live_updates.board_stamp(view.number, event),
        "last": reverse("board", args=[view.number]),
        "past": "" if event is not None else "yes",
    }


def challenge_news(challenge: int, viewer: Player | None) -> dict[str, str]:
    """Return the address that the page of a challenge polls, and its stamp."""
    key = live_updates.new_key(None, viewer, challenge)
    return {"path": reverse("live", args=[key]), "stamp": live_updates.challenge_stamp(challenge)}


def contest_news(contest: int, viewer: Player | None) -> dict[str, str]:
    """Return the address that the page of a contest polls, and its stamp."""
    key = live_updates.new_key(None, viewer, contest=contest)
    return {"path": reverse("live", args=[key]), "stamp": live_updates.contest_stamp(contest)}


def own_news(player: Player) -> dict[str, str]:
    """Return the address that a player's list of boards polls, and its stamp."""
    return {"path": news_path(None, player), "stamp": live_updates.own_stamp(player)}


def news_path(board: int | None, player: Player | None) -> str:
    """Return the address that a page polls, for a board or none, and a player or nobody."""
    return reverse("live", args=[live_updates.new_key(board, player)])
