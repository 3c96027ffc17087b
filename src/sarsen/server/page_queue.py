"""Which request a page thread works on next: those of players before those of visitors.

Python computes in one thread at a time, so every thread that computes beside a player's page
makes it slower. One thread is left to players, who never wait behind visitors for it. Among
players, and among visitors, each gets the same processor time (start-time fair queueing, Goyal,
Vin and Cheng 1996): a program's move, which takes little, does not wait behind as many pages.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import count
from weakref import WeakValueDictionary

MAX_REMEMBERED = 10_000  # callers; the one seen longest ago is forgotten first
FOR_PLAYERS = 1  # threads, where there are several
# Where players leave no thread to visitors, one of so many turns is a visitor's all the same: a
# player who logs in is one at first, and would wait for as long as others play.
VISITORS_TURN = 8
# Seconds that a request counts at least: those of programs take less, each another time, and are
# served in the order in which they come.
MIN_CHARGE = 0.005


@dataclass
class Turn:
    """A request's hold of a thread.

    Attributes:
        seconds: Of processor that it took; set before the thread is given back.
    """

    seconds: float = 0.0


@dataclass(order=True)
class _Waiting:
    """A request that waits: from when on in its line's time, the first come first."""

    begins: float
    number: int
    caller: str = field(compare=False)
    granted: asyncio.Future[None] = field(compare=False)


@dataclass
class _Line:
    """The requests of players, or of visitors.

    Attributes:
        moved_at: When a thread was given back, or one began to wait where none did.
        waiting: A heap.
        time: In seconds of processor of each caller: where the newest turn began.
        ends: Where the requests of callers end that used time since the line was last empty, at
            most MAX_REMEMBERED. A caller without one begins at once: no time is saved up.
    """

    most: int
    running: int = 0
    waiting: list[_Waiting] = field(default_factory=list)
    moved_at: float = 0.0
    time: float = 0.0
    ends: OrderedDict[str, float] = field(default_factory=OrderedDict)

    def begins(self, caller: str) -> float:
        """Return from when on a new request of a caller waits, in the line's time."""
        return max(self.time, self.ends.get(caller, 0.0))

    def give_back(self, caller: str, seconds: float) -> None:
        """Count what a request took, as it gives its thread back."""
        self.running -= 1
        self.moved_at = time.monotonic()
        if not self.running and not self.waiting:
            self.ends.clear()
            return
        self.ends[caller] = self.begins(caller) + max(seconds, MIN_CHARGE)
        self.ends.move_to_end(caller)
        if len(self.ends) > MAX_REMEMBERED:
            self.ends.popitem(last=False)


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
        # ones wait behind these, so that a flood makes no line long, which is sorted again and
        # again as the time of its callers is used.
        self._max_of_caller = 2 * threads
        self._of_callers: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._numbers = count()
        self._since_visitor = 0  # turns of players while a visitor waited

    @asynccontextmanager
    async def turn(self, caller: str, *, is_player: bool) -> AsyncIterator[Turn]:
        """Wait for a thread, and hold it within the block."""
        line = self._players if is_player else self._visitors
        async with self._of_caller(f"{is_player} {caller}"):
            await self._wait(line, caller)
            turn = Turn()
            try:
                yield turn
            finally:
                line.give_back(caller, turn.seconds)
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

    async def _wait(self, line: _Line, caller: str) -> None:
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(line.begins(caller), next(self._numbers), caller, granted)
        if not line.waiting:
            line.moved_at = time.monotonic()
        heappush(line.waiting, waiting)
        self._give_threads()
        try:
            await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                with suppress(ValueError):  # passed over already
                    line.waiting.remove(waiting)
                    heapify(line.waiting)
            else:  # it got a thread at the same moment
                line.running -= 1
                self._give_threads()
            raise

    def _give_threads(self) -> None:
        while self._free_threads > 0 and (line := self._next_line()) is not None:
            waiting = heappop(line.waiting)
            # A request that is given up at this moment has not left the line yet.
            if waiting.granted.cancelled():
                continue
            if (end := line.ends.get(waiting.caller, 0.0)) > waiting.begins:
                # Another request of the same caller has ended while this one waited.
                waiting.begins = end
                heappush(line.waiting, waiting)
                continue
            line.time = max(line.time, waiting.begins)
            line.running += 1
            is_passing = line is self._players and self._visitors.waiting
            self._since_visitor = self._since_visitor + 1 if is_passing else 0
            waiting.granted.set_result(None)

    def _next_line(self) -> _Line | None:
        """Return the line whose turn it is; None where no request waits that may have a thread."""
        ready = [
            line
            for line in (self._players, self._visitors)
            if line.waiting and line.running < line.most
        ]
        if len(ready) > 1 and self._since_visitor >= VISITORS_TURN - 1:
            return self._visitors
        return ready[0] if ready else None

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
