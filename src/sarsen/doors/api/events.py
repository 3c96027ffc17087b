"""Streams of events, as ndjson or as server-sent events: of one's boards, of one board, of all.

A stream lasts as long as its caller. One that was cut off is gone on with by the id of the last
item that arrived: nothing is missed and nothing comes twice, however often that happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Query, Router

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.doors.api.authentication import caller, calling_player, open_to_all, token_with
from sarsen.doors.api.boards import board_facts, seat_ratings
from sarsen.doors.api.event_schemas import BoardItem, OwnItem, PublicItem
from sarsen.doors.api.replies import REFUSALS, Number, other_content_types
from sarsen.doors.api.streams import NDJSON, SSE, Source, held_response
from sarsen.language.command import Scope
from sarsen.language.facts import StreamEvent
from sarsen.language.schema import json_form
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.boards.view import view_board
from sarsen.services.challenges.lists import challenges_of
from sarsen.services.events import board_streams
from sarsen.services.events.topics import Topic, TopicKind
from sarsen.services.matches.matches import find as find_match
from sarsen.services.notices import streams
from sarsen.services.notices.channels import Event
from sarsen.services.notices.streams import StreamedEvent
from sarsen.services.request import Player

router = Router(tags=["events"])
Since = Annotated[int | None, Query(ge=0, le=10**15)]
Seconds = Annotated[int | None, Query(ge=0, le=86_400)]
LegalMoves = Annotated[bool, Query()]


def stream_documentation(items: Any) -> dict[str, Any]:
    """Return the arguments that describe an operation which streams such items."""
    return {"response": {200: items, **REFUSALS}, "openapi_extra": other_content_types(NDJSON, SSE)}


class OwnBoards(Source):
    """The boards and challenges of a player."""

    def __init__(self, player: Player, since: int) -> None:
        self.player, self.since = player, since
        self.topic = Topic(TopicKind.STREAM, player.pk)

    def begin(self) -> Iterator[StreamEvent]:
        """Yield what waits, so that nobody starts from stale news."""
        invitations = _invitations(self.player)
        facts = {
            "to_move": list(waiting_boards(self.player)),
            "invitations": list(invitations),
            "challenges": list(invitations.values()),
        }
        yield StreamEvent(self.since, "hello", timezone.now(), facts=facts)
        if streams.is_forgotten(self.since, timezone.now()):
            yield StreamEvent(self.since, "gap", timezone.now())

    def read(self) -> Iterator[StreamEvent]:
        """Yield what happened since."""
        items = streams.items_after(self.player, self.since, timezone.now())
        self.has_more = len(items) == streams.MAX_AT_ONCE
        has_invitation = any(item.kind == Event.INVITATION for item in items)
        invitations = _invitations(self.player) if has_invitation else {}
        for item in items:
            self.since = item.number
            facts = dict(item.facts)
            if item.kind == Event.INVITATION:
                facts |= invitations.get(facts["challenge"], {})
            yield _event(item, facts)


class OneBoard(Source):
    """One board that the viewer may see."""

    def __init__(self, number: int, viewer: Player | None, since: int | None) -> None:
        match = find_match(number, viewer=viewer)
        newest = board_streams.newest_of(match)
        if since is not None and since > newest:
            raise unknown_item(since)
        self.number, self.viewer = number, viewer
        self.since = newest if since is None else since
        self.topic = Topic(TopicKind.BOARD, number)

    def begin(self) -> Iterator[StreamEvent]:
        """Yield the board as it stands."""
        view = view_board(self.number, viewer=self.viewer, personal=True)
        facts = board_facts(view, self.viewer)
        seats = facts.own.seats if facts.own else ()
        yield replace(
            StreamEvent(self.since, "hello", timezone.now(), view.number, view.game.name),
            players=view.players,
            your_seats=seats,
            is_your_turn=facts.to_move in seats,
            facts=json_form.write(facts),
        )

    def read(self) -> Iterator[StreamEvent]:
        """Yield what happened since; the stream of a game that is over ends."""
        match = find_match(self.number, viewer=self.viewer)
        items = board_streams.items_of(match, self.since, self.viewer)
        for item in items:
            self.since = item.number
            yield _event(item, dict(item.facts))
        self.has_more = self.since < board_streams.newest_of(match)
        self.is_over = match.ended_at is not None and not self.has_more


class PublicBoards(Source):
    """All public boards."""

    topic = Topic(TopicKind.PUBLIC, 0)

    def __init__(self, viewer: Player | None, since: int | None) -> None:
        newest = board_streams.newest_of_all()
        if since is not None and since > newest:
            raise unknown_item(since)
        self.viewer = viewer
        self.since = newest if since is None else since

    def begin(self) -> Iterator[StreamEvent]:
        """Yield the id to go on from."""
        yield StreamEvent(self.since, "hello", timezone.now())

    def read(self) -> Iterator[StreamEvent]:
        """Yield what happened since."""
        items, self.since, self.has_more = board_streams.items_of_all(
            self.since, timezone.now(), self.viewer
        )
        for item in items:
            yield _event(item, dict(item.facts))


@router.get(
    "/events",
    auth=token_with(Scope.READ),
    operation_id="read-events",
    **stream_documentation(OwnItem),
)
def send_events(
    request: HttpRequest,
    since: Since = None,
    seconds: Seconds = None,
    legal_moves: LegalMoves = False,
) -> StreamingHttpResponse:
    """Stream the events of the caller's boards, as JSON lines or server-sent events.

    `since`, or the header `Last-Event-ID`, is the id of the last item that the caller received;
    without it, the stream starts now. The first item is always `hello`. The stream ends after
    `seconds`, or when the caller disconnects; to continue, send the last id.
    """
    player, last_id = calling_player(request), _last_id(request, since)
    if last_id is not None and not streams.is_possible(last_id, timezone.now()):
        raise unknown_item(last_id)
    start = streams.newest_number(player, timezone.now()) if last_id is None else last_id
    return held_response(request, OwnBoards(player, start), seconds, with_moves=legal_moves)


@router.get(
    "/events/boards/{number}",
    auth=open_to_all(),
    operation_id="read-board-events",
    **stream_documentation(BoardItem),
)
def send_board_events(
    request: HttpRequest,
    number: Number,
    since: Since = None,
    seconds: Seconds = None,
    legal_moves: LegalMoves = False,
) -> StreamingHttpResponse:
    """Stream the events of one board until the game ends; `hello` contains the whole board."""
    source = OneBoard(number, caller(request).player, _last_id(request, since))
    return held_response(request, source, seconds, with_moves=legal_moves)


@router.get(
    "/events/boards",
    auth=open_to_all(),
    operation_id="read-public-events",
    **stream_documentation(PublicItem),
)
def send_public_events(
    request: HttpRequest,
    since: Since = None,
    seconds: Seconds = None,
    legal_moves: LegalMoves = False,
) -> StreamingHttpResponse:
    """Stream the moves and results of all public games."""
    source = PublicBoards(caller(request).player, _last_id(request, since))
    return held_response(request, source, seconds, with_moves=legal_moves)


def _last_id(request: HttpRequest, since: int | None) -> int | None:
    """Return the id of the last item that the caller has; None for none."""
    text = request.headers.get("Last-Event-ID", "") if since is None else str(since)
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        raise unknown_item(text)
    return int(text)


def unknown_item(item: object) -> UserError:
    """Return the refusal of an id that no item has."""
    return UserError(
        f"{quoted(str(item), 40)} is not the id of an item of this stream.",
        code="unknown-event",
        hint="Leave it out to start now; the first item has an id to continue from.",
    )


def _invitations(player: Player) -> dict[int, dict[str, object]]:
    """Return what a player needs to know to accept or decline, by the number of a challenge."""
    return {
        challenge.number: {
            "challenge": challenge.number,
            "game": challenge.game.name,
            "options": challenge.options,
            "terms": challenge.terms,
            "names": list(challenge.names),
            "opponent": challenge.opponent,
            "rating": challenge.rating,
        }
        for challenge in challenges_of(player)
        if challenge.may_accept
    }


def _event(item: StreamedEvent, facts: dict[str, Any]) -> StreamEvent:
    if item.board is not None and item.kind in ("start", "end"):
        facts["ratings"] = seat_ratings(item.board, shows_result=item.kind == "end")
    return replace(
        StreamEvent(item.number, item.kind, item.at, facts=facts),
        board=item.board,
        game=item.game,
        players=item.players,
        your_seats=item.seats,
        is_your_turn=facts.get("to_move") in item.seats,
    )
