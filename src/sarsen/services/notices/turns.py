"""Turns of calls to addresses that strangers named: slow ones delay their own calls only.

A turn is what is sent to one address, in order. Turns run in threads, which speak to the network
only; what came of them is recorded here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import TypeVar

AT_ONCE = 64  # turns that have just begun: each is a thread, and most end within a second
# Turns beside these that have lasted longer. Threads that wait for slow addresses cost little;
# there are more of them than one person is likely to have accounts.
MAX_SLOW = 192
SLOW_SECONDS = 1.0  # as most addresses answer sooner: a turn beyond this counts as slow
LOOK_SECONDS = 0.5  # between looks at what has become due, while addresses are slow
Items = TypeVar("Items")
Result = TypeVar("Result")


@dataclass(frozen=True)
class _Turn:
    begun: datetime
    since: float


def take_turns(
    claim: Callable[[datetime, int, Collection[Items]], Iterable[Items]],
    call: Callable[[Items, datetime], Result],
    record: Callable[[Items, Result, datetime], int],
    now: datetime,
) -> int:
    """Call what is due, or becomes due meanwhile; return the sum of what was recorded.

    Each turn is recorded, and its thread free, as soon as it ends.

    Args:
        claim: Return what is due, of so many addresses at most, and none of those that are being
            called; the address that has waited longest first.
        call: Call one address, in a thread of its own.
        record: Write down what came of it.
    """
    began, at, total = monotonic(), now, 0
    turns: dict[Future[Result], tuple[Items, _Turn]] = {}
    with ThreadPoolExecutor(AT_ONCE + MAX_SLOW) as pool:
        while True:
            room = _room([turn for _, turn in turns.values()])
            running = [items for items, _ in turns.values()]
            for items in claim(at, room, running) if room else ():
                turns[pool.submit(call, items, at)] = items, _Turn(at, monotonic())
            if not turns:
                return total
            done, _ = wait(turns, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                items, turn = turns.pop(future)
                total += record(items, future.result(), turn.begun)
            at = now + timedelta(seconds=monotonic() - began)


def _room(turns: Collection[_Turn]) -> int:
    """Return how many turns may begin now."""
    slow = sum(monotonic() - turn.since > SLOW_SECONDS for turn in turns)
    return AT_ONCE - (len(turns) - min(slow, MAX_SLOW))
