"""Hold the questions of open pages, and streams, until there is news, without a thread for each.

One look at the database serves all that are held: a few times a second, or where the database
tells of news, then and every few seconds. How many questions are held is bounded, together and for
each network: further ones are answered at once, and ask again later.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from wsgiref.types import WSGIEnvironment

import structlog
from granian.rsgi import HTTPProtocol  # type: ignore[attr-defined]

from sarsen.services.events.topics import Topic, Watched

HOLD_SECONDS = 25.0  # then a question is answered without news: proxies give up after 30 or 60
LOOK_SECONDS = 0.25  # between two looks, at least: a move is to be seen within a second
UNCALLED_SECONDS = 5.0  # between two looks without a call, which may have been lost
LOOK_SHARE = 0.1  # of the time, at most, that looks may take: pages need the rest
MAX_HELD = 2000  # of all connections: others must find room; see `sarsen.server.web`
MAX_OF_NETWORK = 64  # so that others find room; a house has fewer open pages
# Each page that hears of news asks for a whole page then: beyond so many visitors of one board
# they are told one after the other, this many a second.
TOLD_AT_ONCE = 20
TOLD_A_SECOND = 30.0
log = structlog.get_logger()


@dataclass(eq=False)
class _Poll:
    """One question that is held, or a stream that waits."""

    seen: str
    is_player: bool
    is_stream: bool = False
    answer: asyncio.Event = field(default_factory=asyncio.Event)
    is_told: bool = False


class LongPolls:
    """Hold questions and streams, and look for their news.

    Args:
        watched: Return what a request watches; None when it is answered at once.
        stamps: Return the stamps of several topics, as they stand in the database.
        is_called: Somebody calls `hear` when there is news.
    """

    def __init__(
        self,
        watched: Callable[[WSGIEnvironment], Watched | None],
        stamps: Callable[[Collection[Topic]], Mapping[Topic, str]],
        *,
        is_called: bool = False,
    ) -> None:
        self._watched = watched
        self._stamps = stamps
        self._held: dict[Topic, set[_Poll]] = {}
        self._networks: Counter[str] = Counter()
        self._looks = ThreadPoolExecutor(1, thread_name_prefix="looks")
        self._looking: asyncio.Task[None] | None = None
        self._uncalled_seconds = UNCALLED_SECONDS if is_called else 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._has_news = asyncio.Event()
        self._last_stamps: Mapping[Topic, str] = {}
        self.is_ending = False

    async def hold(self, environ: WSGIEnvironment, network: str, protocol: HTTPProtocol) -> bool:
        """Wait until a page has news or has gone; return whether there was room to wait.

        A page that does not say what it has seen does not wait; the next time it may.
        """
        watched = self._watched(environ)
        is_full = self._networks.total() >= MAX_HELD or self._networks[network] >= MAX_OF_NETWORK
        if watched is None or is_full or self.is_ending:
            return False
        if not watched.seen:
            return True
        poll = _Poll(watched.seen, watched.is_player)
        self._networks[network] += 1
        try:
            with self._registered(watched.topic, poll):
                await _wait_for_first(poll.answer, protocol)
        finally:
            self._networks[network] -= 1
            if not self._networks[network]:
                del self._networks[network]
        return True

    async def wait(self, topic: Topic, seen: str, seconds: float) -> bool:
        """Wait until a topic has another stamp, or all ends; return whether that came in time."""
        if self.is_ending:
            return True
        poll = _Poll(seen, is_player=True, is_stream=True)
        with self._registered(topic, poll):
            try:
                await asyncio.wait_for(poll.answer.wait(), seconds)
            except TimeoutError:
                return False
        return True

    def hear(self, _told: str = "") -> None:
        """Look at once, because there is news; any thread may call this."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._has_news.set)

    def end(self) -> None:
        """Answer all questions now, end the streams, and hold no more: the process ends."""
        self.is_ending = True
        for polls in self._held.values():
            for poll in polls:
                poll.answer.set()

    @contextmanager
    def _registered(self, topic: Topic, poll: _Poll) -> Iterator[None]:
        self._held.setdefault(topic, set()).add(poll)
        # What changed between a page's answer and its next question was called before it was held.
        if self._last_stamps.get(topic) != poll.seen:
            self._has_news.set()
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._held[topic].discard(poll)
            if not self._held[topic]:
                del self._held[topic]

    async def _look(self) -> None:
        loop = self._loop = asyncio.get_running_loop()
        while self._held:
            began = loop.time()
            self._has_news.clear()
            try:
                topics = tuple(self._held)
                stamps = await loop.run_in_executor(self._looks, self._stamps, topics)
            except Exception:
                log.exception("live updates failed")
                topics, stamps = tuple(self._held), {}  # each page hears it, and asks again later
            self._last_stamps = stamps
            for topic in topics:
                self._answer_polls(self._held.get(topic, set()), stamps.get(topic))
            await asyncio.sleep(max(LOOK_SECONDS, (loop.time() - began) / LOOK_SHARE))
            await self._wait_for_call()
        self._looking, self._last_stamps = None, {}

    async def _wait_for_call(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._has_news.wait(), self._uncalled_seconds)

    def _answer_polls(self, polls: Collection[_Poll], stamp: str | None) -> None:
        loop = asyncio.get_running_loop()
        news = [poll for poll in polls if poll.seen != stamp and not poll.is_told]
        for poll in news:
            if poll.is_stream:  # it asks for no page
                poll.answer.set()
        news = sorted(
            (poll for poll in news if not poll.is_stream), key=lambda poll: not poll.is_player
        )
        for at, poll in enumerate(news):
            poll.is_told = True
            loop.call_later(max(0, at - TOLD_AT_ONCE) / TOLD_A_SECOND, poll.answer.set)


async def _wait_for_first(answer: asyncio.Event, protocol: HTTPProtocol) -> None:
    """Wait for an answer, the end of the connection, or the end of the time."""

    async def gone() -> None:
        await protocol.client_disconnect()

    waits = [asyncio.create_task(answer.wait()), asyncio.create_task(gone())]
    try:
        await asyncio.wait(waits, timeout=HOLD_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
