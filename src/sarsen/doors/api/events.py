"""The stream of a player's boards, as ndjson or as server-sent events.

A request is held for some seconds at the most, since it holds a thread; then the caller
comes back with the id of the last item it has. Nothing is missed and nothing comes twice,
however often that happens.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated

from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Query, Router

from sarsen.core.errors import UserError
from sarsen.doors.api.authentication import needs, speaking
from sarsen.doors.api.replies import REFUSALS, also_as
from sarsen.language import json_form
from sarsen.language.facts import StreamEvent
from sarsen.services.accounts.tokens import Scope
from sarsen.services.challenges.pages import challenges_of
from sarsen.services.limits import Flood
from sarsen.services.notices import streams
from sarsen.services.notices.notify import Event
from sarsen.services.notices.streams import STREAMS, StreamedEvent
from sarsen.services.request import Player

NDJSON, SSE = "application/x-ndjson", "text/event-stream"
STREAMS_A_PLAYER = 4
STREAM_SECONDS = 30  # after which a stream ends; its caller comes back
PAUSE = 0.25  # seconds between two looks
HEARTBEAT = 5.0  # seconds of silence after which a blank line says that all is well
RETRY = 5  # seconds after which a caller that found no place comes back
router = Router(tags=["events"])


@dataclass
class Stream:
    """One held request: an iterator that gives its place back when it is closed."""

    player: Player
    since: int
    is_sse: bool
    ends: float
    slot: StreamSlot | None = None

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._lines()
        finally:
            self.close()

    def close(self) -> None:
        """Release the slot."""
        if self.slot is not None:
            PLACES.give_back(self.slot)
            self.slot = None

    def _lines(self) -> Iterator[bytes]:
        yield self._line(_hello(self.player, self.since))
        if streams.is_forgotten(self.since, timezone.now()):
            yield self._line(StreamEvent(self.since, "gap", timezone.now()))
        said = time.monotonic()
        while True:
            items = streams.after(self.player, self.since, timezone.now())
            has_invitation = any(item.kind == Event.INVITATION for item in items)
            asked = _asked(self.player) if has_invitation else {}
            for item in items:
                self.since = item.number
                yield self._line(_event(item, asked))
            if items:
                said = time.monotonic()
                continue
            if time.monotonic() >= self.ends:
                return
            if time.monotonic() - said >= HEARTBEAT:
                said = time.monotonic()
                yield b":\n\n" if self.is_sse else b"\n"
            time.sleep(PAUSE)

    def _line(self, event: StreamEvent) -> bytes:
        text = json.dumps(json_form.write(event), ensure_ascii=False)
        if self.is_sse:
            return f"id: {event.id}\nevent: {event.kind}\ndata: {text}\n\n".encode()
        return f"{text}\n".encode()


@router.get(
    "/events",
    auth=needs(Scope.READ),
    response={200: StreamEvent, **REFUSALS},
    operation_id="read-events",
    openapi_extra=also_as(NDJSON, SSE),
)
def send_events(
    request: HttpRequest,
    since: Annotated[int | None, Query(ge=0, le=10**15)] = None,
    seconds: Annotated[int, Query(ge=0, le=3600)] = 3600,
) -> StreamingHttpResponse:
    """Stream what happens at the caller's boards: an item a line, or server-sent events.

    `since`, or the header `Last-Event-ID`, is the id of the last item the caller has;
    without it the stream begins now. The first item is always `hello`. The request ends
    after `seconds`, or sooner; come back with the last id.
    """
    player = speaking(request)
    start = _start(request, player, since)
    is_sse = request.get_preferred_type([NDJSON, SSE]) == SSE
    held = min(seconds, STREAM_SECONDS)
    stream = Stream(player, start, is_sse, time.monotonic() + held)
    headers = {
        "Cache-Control": "private, no-store",
        "X-Accel-Buffering": "no",  # nginx would keep lines back
        "Content-Encoding": "identity",  # so would compression
    }
    if held:
        _check_own(player)
        stream.slot = PLACES.take(player.pk, held, STREAMS)
        if stream.slot is None:
            # What there is, at once: a client that finds no free slot polls.
            stream.ends = 0.0
            headers["Retry-After"] = str(RETRY)
    return StreamingHttpResponse(stream, content_type=SSE if is_sse else NDJSON, headers=headers)


def _start(request: HttpRequest, player: Player, since: int | None) -> int:
    given = request.headers.get("Last-Event-ID", "") if since is None else str(since)
    if not given:
        return streams.newest(player, timezone.now())
    is_number = given.isascii() and given.isdigit() and len(given) <= 16
    if not is_number or not streams.is_possible(int(given), timezone.now()):
        raise UserError(
            f"{given[:40]!r} is the id of no item of the stream.",
            code="unknown-event",
            hint="Leave it out to begin now; the first item has an id to go on from.",
        )
    return int(given)


def _check_own(player: Player) -> None:
    if PLACES.of_player(player.pk, STREAM_SECONDS) >= STREAMS_A_PLAYER:
        raise Flood(
            f"One player holds at most {STREAMS_A_PLAYER} streams at once.",
            code="too-many-streams",
            hint="Close one of them; or ask with `seconds=0`, which holds none.",
            seconds=STREAM_SECONDS,
        )


def _hello(player: Player, since: int) -> StreamEvent:
    """Return where the stream stands, and what waits: so that nobody starts from stale news."""
    asked = _asked(player)
    facts = {
        "to_move": list(streams.waiting_boards(player)),
        "invitations": list(asked),
        "challenges": list(asked.values()),
    }
    return StreamEvent(since, "hello", timezone.now(), facts=facts)


def _asked(player: Player) -> dict[int, dict[str, object]]:
    """Return what a player needs to know to accept or decline, by the number of a challenge."""
    return {
        one.number: {
            "challenge": one.number,
            "game": one.game.name,
            "options": one.options,
            "terms": one.terms,
            "names": list(one.names),
            "opponent": one.opponent,
            "rating": one.rating,
        }
        for one in challenges_of(player)
        if one.may_accept
    }


def _event(item: StreamedEvent, asked: dict[int, dict[str, object]]) -> StreamEvent:
    facts = dict(item.facts)
    if item.kind == Event.INVITATION:
        facts |= asked.get(facts["challenge"], {})
    return replace(
        StreamEvent(item.number, item.kind, item.at, facts=facts),
        board=item.board,
        game=item.game,
        players=item.players,
        your_seats=item.seats,
        is_your_turn=facts.get("to_move") in item.seats,
    )


GRACE = 30.0  # seconds after which a place that was never given back is free again


@dataclass(eq=False)
class StreamSlot:
    """One stream that is held."""

    player: int
    began: float


@dataclass
class Places:
    """Count the streams of this process. Each holds a thread, so they are bounded."""

    _taken: set[StreamSlot] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of_player(self, player: int, seconds: float) -> int:
        """Count the streams that a player holds."""
        with self._lock:
            self._forget(seconds)
            return sum(slot.player == player for slot in self._taken)

    def take(self, player: int, seconds: float, most: int) -> StreamSlot | None:
        """Take a place; None when there is none left.

        Args:
            seconds: How long a stream is held at the most.
        """
        with self._lock:
            self._forget(seconds)
            if len(self._taken) >= most:
                return None
            slot = StreamSlot(player, time.monotonic())
            self._taken.add(slot)
            return slot

    def give_back(self, slot: StreamSlot) -> None:
        """Release a slot; releasing it twice does no harm."""
        with self._lock:
            self._taken.discard(slot)

    def _forget(self, seconds: float) -> None:
        """Forget places whose callers vanished before their stream began."""
        limit = time.monotonic() - seconds - GRACE
        self._taken = {slot for slot in self._taken if slot.began > limit}


PLACES = Places()
