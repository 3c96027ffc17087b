"""Which request a page thread works on next: those of players before those of visitors.

Python computes in one thread at a time, so every thread that computes beside a player's page
makes it slower. One thread is left to players, who never wait behind visitors for it.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

MAX_REMEMBERED = 10_000  # players; the one seen longest ago is forgotten first
FOR_PLAYERS = 1  # threads, where there are several


@dataclass
class _Line:
    """The requests of players, or of visitors.

    Attributes:
        moved_at: When a thread was given back, or one began to wait where none did.
    """

    most: int
    running: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    moved_at: float = 0.0


class PageQueue:
    """The turns of requests at the page threads; all on the event loop.

    Args:
        threads: Requests that are worked on at once.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._players = _Line(threads)
        self._visitors = _Line(max(1, threads - FOR_PLAYERS))
        # So many requests of one visitor's network, or of one player, wait for threads; further
        # ones wait behind these, so that a flood from one network delays others by no more.
        self._max_of_caller = 2 * threads
        self._of_callers: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, caller: str, *, is_player: bool) -> AsyncIterator[None]:
        """Wait for a thread, and hold it within the block."""
        line = self._players if is_player else self._visitors
        async with self._of_caller(f"{is_player} {caller}"):
            await self._wait(line)
            try:
                yield
            finally:
                line.running -= 1
                line.moved_at = time.monotonic()
                self._give_threads()

    @property
    def is_idle(self) -> bool:
        """Whether at most one thread works, and no request waits; asked from threads, too."""
        is_anybody_waiting = self._players.waiting or self._visitors.waiting
        return not is_anybody_waiting and self._free_threads >= self._threads - 1

    def standstill(self) -> float:
        """Return for how many seconds requests have waited while no thread was given back."""
        now = time.monotonic()
        lines = [line for line in (self._players, self._visitors) if line.waiting]
        return max((now - line.moved_at for line in lines), default=0.0)

    def _of_caller(self, caller: str) -> asyncio.Semaphore:
        semaphore = self._of_callers.get(caller)
        if semaphore is None:
            # See `__init__`.
            semaphore = self._of_callers[caller] = asyncio.Semaphore(self._max_of_caller)
        return semaphore

    async def _wait(self, line: _Line) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not line.waiting:
            line.moved_at = time.monotonic()
        line.waiting.append(turn)
        self._give_threads()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with suppress(ValueError):  # passed over already
                    line.waiting.remove(turn)
            else:  # it got a thread at the same moment
                line.running -= 1
                self._give_threads()
            raise

    def _give_threads(self) -> None:
        for line in (self._players, self._visitors):
            while line.waiting and line.running < line.most and self._free_threads > 0:
                turn = line.waiting.popleft()
                # A request that is given up at this moment has not left the line yet.
                if not turn.cancelled():
                    line.running += 1
                    turn.set_result(None)

    @property
    def _free_threads(self) -> int:
        return self._threads - self._players.running - self._visitors.running


class KnownPlayers:
    """What has proved to come from players, as later requests show it again."""

    def __init__(self) -> None:
        self._proofs: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, proof: str) -> bool:
        return proof in self._proofs

    def note(self, proof: str, *, is_player: bool) -> None:
        """Remember a session or a token by what its last request was found to be."""
        if not is_player:
            self._proofs.pop(proof, None)
            return
        self._proofs[proof] = None
        self._proofs.move_to_end(proof)
        if len(self._proofs) > MAX_REMEMBERED:
            self._proofs.popitem(last=False)
