"""Responses that last: what has happened since, for as long as the caller reads."""

from __future__ import annotations

import json
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone

from sarsen.doors.api.authentication import caller
from sarsen.isolation.allowance import (
    PLAYER_SECONDS,
    VISITOR_SECONDS,
    Allowance,
    plugins_within,
)
from sarsen.language.facts import StreamEvent
from sarsen.language.schema import json_form
from sarsen.services.accounts.attempts import network_of
from sarsen.services.accounts.tokens import TokenBearer, is_valid
from sarsen.services.board_cache import legal_moves
from sarsen.services.events import live_updates
from sarsen.services.events.topics import Reading, Topic
from sarsen.services.limits.daily import Flood

NDJSON, SSE = "application/x-ndjson", "text/event-stream"
STREAMS = 500  # held at once; each waits for news on the event loop, without a thread
# A program needs one; several may share a network or a token.
STREAMS_A_CALLER = 16
STREAMS_OF_VISITORS = 400  # of these, so that players find a place
# After which a stream ends that a server of another kind holds by a thread: threads are few.
THREAD_SECONDS = 30
PAUSE = 0.25  # seconds between two looks of such a thread, each of which is a query
RETRY = 5  # seconds until a caller that found no place comes back: it polls, and others do


class Source(ABC):
    """Where the items of a stream come from.

    Attributes:
        since: The id of the last item that was read.
        has_more: Whether to read again soon.
        is_over: Nothing comes any more.
    """

    topic: Topic
    since: int
    has_more = False
    is_over = False

    @abstractmethod
    def begin(self) -> Iterator[StreamEvent]:
        """Yield how things stand before the first item."""

    @abstractmethod
    def read(self) -> Iterator[StreamEvent]:
        """Yield what happened since."""


@dataclass
class Stream:
    """One held response, which gives its place back when it is closed.

    Attributes:
        ends: By the monotonic clock.
        bearer: Of the token it was asked for with: revoked, it ends the stream.
        with_moves: Whether to name the legal moves of each position.
        spend: Charges the processor time of a reading to the caller; None for a player's.
        is_allowed: Whether any of the caller's time is left; None for a player's.
    """

    source: Source
    bearer: TokenBearer | None
    is_sse: bool
    with_moves: bool
    ends: float
    slot: StreamSlot | None = None
    has_begun: bool = False
    spend: Callable[[float], None] | None = None
    is_allowed: Callable[[], bool] | None = None

    @property
    def topic(self) -> Topic:
        return self.source.topic

    @property
    def heartbeat(self) -> bytes:
        return b":\n\n" if self.is_sse else b"\n"

    def has_room(self) -> bool:
        """Return whether any of the caller's time is left."""
        return self.is_allowed is None or self.is_allowed()

    def read(self) -> Reading:
        """Return what has not been sent, in a thread that serves many streams."""
        close_old_connections()
        return self._read()

    def _read(self) -> Reading:
        """Read within the time of plug-ins, and charge the caller."""
        began = time.thread_time()
        seconds = VISITOR_SECONDS if self.bearer is None else PLAYER_SECONDS
        with plugins_within(Allowance(lambda: seconds)) as plugins:
            try:
                return self._next()
            finally:
                if self.spend is not None:
                    self.spend(time.thread_time() - began + plugins.used)

    def _next(self) -> Reading:
        if self.slot is not None:
            self.slot.has_begun = True
        if self.bearer is not None and not is_valid(self.bearer, timezone.now()):
            return Reading(b"", "", is_over=True)
        stamp = live_updates.stamps((self.topic,))[self.topic]
        begins = () if self.has_begun else tuple(self.source.begin())
        self.has_begun = True
        text = b"".join(map(self._line, (*begins, *self.source.read())))
        return Reading(text, "" if self.source.has_more else stamp, self.source.is_over)

    def __iter__(self) -> Iterator[bytes]:
        """Yield it to a server that knows no held responses, for half a minute."""
        ends = min(self.ends, time.monotonic() + THREAD_SECONDS)
        try:
            while True:
                reading = self._read()
                if reading.text:
                    yield reading.text
                is_all = reading.stamp or not reading.text
                if reading.is_over or (is_all and time.monotonic() >= ends):
                    return
                if not self.has_room():
                    return
                if is_all:
                    time.sleep(PAUSE)
        finally:
            self.close()

    def close(self) -> None:
        """Release the slot."""
        if self.slot is not None:
            PLACES.give_back(self.slot)
            self.slot = None

    def _line(self, event: StreamEvent) -> bytes:
        position = event.facts.get("position")
        if self.with_moves and position and event.kind != "hello":
            moves = () if event.facts["to_move"] is None else legal_moves(event.game, position)
            event = replace(event, facts={**event.facts, "legal_moves": moves})
        text = json.dumps(json_form.write(event), ensure_ascii=False)
        if self.is_sse:
            return f"id: {event.id}\nevent: {event.kind}\ndata: {text}\n\n".encode()
        return f"{text}\n".encode()


class HeldResponse(StreamingHttpResponse):
    """A stream; `sarsen.server.gateway` holds it without a thread."""

    def __init__(self, held: Stream, **words: Any) -> None:
        super().__init__(held, **words)
        self.held = held


def held_response(
    request: HttpRequest, source: Source, seconds: int | None, *, with_moves: bool
) -> StreamingHttpResponse:
    """Return the response that sends the items of a source.

    Args:
        seconds: It ends after so many; None with its caller.
        with_moves: Whether to name the legal moves of each position.
    """
    is_sse = request.get_preferred_type([NDJSON, SSE]) == SSE
    ends = math.inf if seconds is None else time.monotonic() + seconds
    requester = caller(request)
    stream = Stream(source, requester.bearer, is_sse, with_moves, ends)
    headers = {
        "Cache-Control": "private, no-store",
        "X-Accel-Buffering": "no",  # nginx would keep lines back
        "Content-Encoding": "identity",  # so would compression
    }
    if seconds != 0:
        holder = requester.player.pk if requester.player else network_of(requester.client_address)
        stream.slot = PLACES.take(holder)
        if stream.slot is None:
            # What there is, at once: a client that finds no free slot polls.
            stream.ends = 0.0
            headers["Retry-After"] = str(RETRY)
    return HeldResponse(stream, content_type=SSE if is_sse else NDJSON, headers=headers)


# Seconds after which a place whose stream never began is free again: its caller has vanished.
GRACE = 30.0


@dataclass(eq=False)
class StreamSlot:
    """One stream that is held, by a player's id or the network of a visitor."""

    holder: int | str
    taken_at: float
    has_begun: bool = False


@dataclass
class Places:
    """Count the streams of this process, which are bounded."""

    _taken: set[StreamSlot] = field(default_factory=set)
    # Page threads take places, and the event loop gives them back.
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, holder: int | str) -> StreamSlot | None:
        """Take a place; None when there is none left.

        Raises:
            Flood: The caller holds too many.
        """
        with self._lock:
            self._forget()
            if sum(slot.holder == holder for slot in self._taken) >= STREAMS_A_CALLER:
                raise Flood(
                    f"A caller may have at most {STREAMS_A_CALLER} open streams.",
                    code="too-many-streams",
                    hint="Close one of them, or use `seconds=0`.",
                    seconds=RETRY,
                )
            visitors = sum(isinstance(slot.holder, str) for slot in self._taken)
            is_full = isinstance(holder, str) and visitors >= STREAMS_OF_VISITORS
            if is_full or len(self._taken) >= STREAMS:
                return None
            slot = StreamSlot(holder, time.monotonic())
            self._taken.add(slot)
            return slot

    def give_back(self, slot: StreamSlot) -> None:
        """Release a slot; releasing it twice does no harm."""
        with self._lock:
            self._taken.discard(slot)

    def _forget(self) -> None:
        """Forget places whose callers vanished before their stream began."""
        limit = time.monotonic() - GRACE
        self._taken = {slot for slot in self._taken if slot.has_begun or slot.taken_at > limit}


PLACES = Places()
