"""What a bot is asked and what it answers, and time that does not count as thinking.

Needs no NumPy and no Numba.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition

Stop = threading.Event
# Late and rarely: people like to finish what they have won, and weak opponents may
# still let it slip.
FROM_LEVEL = 4
WITHIN = 6  # plies to the proved end: before that a person may still go wrong


@dataclass(frozen=True)
class Budget:
    """A thinking budget: nodes (repeatable), the clock, or the one that ends first.

    Attributes:
        nodes: Most positions searched, or None.
        seconds: Most time, or None.
    """

    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Candidate:
    """One move that was weighed.

    Attributes:
        score: Expected score of the seat to move, in [0, 1].
        proved: The proved score of the seat to move (1, 0.5 or 0), or None.
    """

    move: Any
    score: float
    proved: float | None = None


@dataclass(frozen=True)
class Thought:
    """The result of a bot's search of a position.

    Attributes:
        move: What it plays.
        score: Expected score of the seat to move after it, in [0, 1].
        proved: The proved score of the seat to move, or None.
        plies: To the proved end along the line, or None.
        line: Best play for both, beginning with `move`.
        candidates: Root moves weighed, best first; may be fewer than there are.
        nodes, seconds: What it took.
    """

    move: Any
    score: float
    proved: float | None = None
    plies: int | None = None
    line: tuple[Any, ...] = ()
    candidates: tuple[Candidate, ...] = field(default=(), repr=False)
    nodes: int = 0
    seconds: float = 0.0

    @property
    def resigns(self) -> bool:
        """Return whether only a proved loss is left."""
        return self.proved == 0.0


def refuse_when_over(position: AnyPosition) -> None:
    """Refuse to think about a game that is over.

    Raises:
        UserError: It is over.
    """
    if position.outcome() is not None:
        raise UserError("The game is over: there is no move to find.", code="game-over")


def gives_up(level: int, thought: Thought) -> bool:
    """Return whether a bot resigns: only what is proved lost, and only near its end."""
    is_near = thought.plies is not None and thought.plies <= WITHIN
    return thought.resigns and is_near and level >= FROM_LEVEL


class _Stopwatch:
    """Run while at least one thread loads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # several threads may load at once, and share its counts
        self._depth = 0
        self._total = 0.0
        self._began_at = 0.0

    @property
    def seconds(self) -> float:
        with self._lock:
            running = time.monotonic() - self._began_at if self._depth else 0.0
            return self._total + running

    @contextmanager
    def running(self) -> Iterator[None]:
        with self._lock:
            if self._depth == 0:
                self._began_at = time.monotonic()
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1
                if self._depth == 0:
                    self._total += time.monotonic() - self._began_at


_stopwatch = _Stopwatch()


def loading() -> AbstractContextManager[None]:
    """Count the time spent in a `with` block, in any thread, as loading."""
    return _stopwatch.running()


def seconds_loading() -> float:
    """Return how long this process has been loading so far, in any of its threads."""
    return _stopwatch.seconds
