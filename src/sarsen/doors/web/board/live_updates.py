"""Pages that stay new: what a page asks again and again, and what it asks with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.doors.web.board.pictures import inline_picture
from sarsen.services.boards.view import BoardView
from sarsen.services.events import live_updates
from sarsen.services.matches.practice import Practice
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
    status, body = _answer(key)
    return HttpResponse(body, status=status, headers=_HEADERS)


def answered_first(
    application: WSGIApplication, begin: Callable[[], None] = close_old_connections
) -> WSGIApplication:
    """Answer the questions of pages before anything else is done with a request.

    They are nine in ten of all requests, and what is done for a page costs more than they do.

    Args:
        begin: What Django does where any request begins.
    """

    def answering(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if not path.startswith(START) or environ["REQUEST_METHOD"] != "GET":
            return application(environ, start)
        begin()
        status, body = _answer(path[len(START) :].rstrip("/"))
        start(_STATUS[status], [*_HEADERS.items(), ("Content-Length", str(len(body)))])
        return [body]

    return answering


_STATUS = {200: "200 OK", 410: "410 Gone"}


def _answer(key: str) -> tuple[int, bytes]:
    try:
        told = live_updates.news(key, timezone.now())
    except UserError as refusal:
        return 410, json.dumps({"detail": refusal.text}).encode()
    return 200, json.dumps(asdict(told)).encode()


def board_news(view: BoardView, viewer: Player | None) -> dict[str, str]:
    """Return what the page of a board asks by, and how the board stands on it."""
    event = view.event if view.ply == view.last_ply else None
    return {
        "path": news_path(view.number, viewer),
        "stamp": live_updates.board_stamp(view.number, event),
        "last": reverse("board", args=[view.number]),
        "past": "" if event is not None else "yes",
    }


def challenge_news(challenge: int, viewer: Player | None) -> dict[str, str]:
    """Return what the page of a challenge asks by, and how the challenge stands on it."""
    key = live_updates.new_key(None, viewer, challenge)
    return {"path": reverse("live", args=[key]), "stamp": live_updates.challenge_stamp(challenge)}


def own_news(player: Player) -> dict[str, str]:
    """Return what a player's list of boards asks by, and how it stands."""
    return {"path": news_path(None, player), "stamp": live_updates.own_stamp(player)}


def news_path(board: int | None, player: Player | None) -> str:
    """Return where a page asks that shows a board, or none, to a player, or to nobody."""
    return reverse("live", args=[live_updates.new_key(board, player)])


MOST_BUTTONS = 40  # legal moves that are buttons
MOST_NAMED = 500  # legal moves that the field knows


@dataclass(frozen=True)
class LiveBoard:
    """A board that nobody keeps, as a page shows it.

    Attributes:
        key: Names its parts within the page.
        moves_address, reason_address: Where a script learns which taps make which move, and
            why one makes none.
        first, previous, next, last: Addresses to step to; "" where there is nothing further.
        played: The moves up to the position shown.
        move: The last of them; "" at the start.
        legal: What can be played now; empty when there are too many.
        mover: The side to move; "" once the game is over.
        text: The same as a text board; "" where none is wanted.
        has_partner: The server answers each move.
    """

    key: str
    game: str
    options: str
    moves_address: str
    reason_address: str
    picture: SafeString
    words: str
    first: str
    previous: str
    next: str
    last: str
    at: int
    count: int
    played: tuple[str, ...]
    move: str
    effects: tuple[str, ...]
    legal: tuple[str, ...]
    has_buttons: bool
    mover: str
    result: str
    has_partner: bool = False
    text: str = ""
    typed: str = ""
    refusal: UserError | None = None


def live_board(
    practice: Practice,
    *,
    key: str,
    has_partner: bool = False,
    text: str = "",
    typed: str = "",
    refusal: UserError | None = None,
) -> LiveBoard:
    """Lay a board out that nobody keeps."""
    position, at, count = practice.position, practice.at, len(practice.moves)
    outcome = position.outcome()
    legal = () if outcome else _legal(practice)

    def to(ply: int, *, there: bool) -> str:
        return address(practice, ply, has_partner=has_partner) if there else ""

    return LiveBoard(
        key=key,
        game=practice.game.name,
        options=practice.options,
        moves_address=_asked("practice-moves", practice),
        reason_address=_asked("practice-reason", practice),
        picture=inline_picture(position),
        words=drawing.describe(position),
        first=to(0, there=at > 0),
        previous=to(at - 1, there=at > 0),
        next=to(at + 1, there=at < count),
        last=to(count, there=at < count),
        at=at,
        count=count,
        played=practice.moves[:at],
        move=practice.moves[at - 1] if at else "",
        effects=position.effects() if at else (),
        legal=legal,
        has_buttons=0 < len(legal) <= MOST_BUTTONS,
        mover="" if outcome else position.sides[position.seat],
        result=outcome.reason if outcome else "",
        has_partner=has_partner,
        text=text,
        typed=typed,
        refusal=refusal,
    )


def figure(board: LiveBoard) -> SafeString:
    """Write the board as a part of any page."""
    return mark_safe(render_to_string("web/board/live_board.html", {"live": board}))  # noqa: S308


def address(practice: Practice, at: int, *, has_partner: bool) -> str:
    """Return the page of a board that nobody keeps, after so many of its moves."""
    said = _record(practice, practice.moves)
    if at != len(practice.moves):
        said.append(("at", str(at)))
    if has_partner:
        said.append(("partner", "on"))
    page = reverse("practice", args=[practice.game.name])
    return f"{page}?{urlencode(said)}" if said else page


def _asked(name: str, practice: Practice) -> str:
    """Return the address at which something is asked of the position shown."""
    said = _record(practice, practice.moves[: practice.at])
    page = reverse(name, args=[practice.game.name])
    return f"{page}?{urlencode(said)}" if said else page


def _record(practice: Practice, moves: Sequence[str]) -> list[tuple[str, str]]:
    parts = (("options", practice.options), ("moves", " ".join(moves)))
    return [part for part in parts if part[1]]


def _legal(practice: Practice) -> tuple[str, ...]:
    moves = practice.position.legal_moves()
    if len(moves) > MOST_NAMED:
        return ()
    return tuple(practice.position.format(move) for move in moves)
