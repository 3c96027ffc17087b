"""How long an engine thinks, from what the protocol tells it of the clocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sarsen.core.errors import UserError
from sarsen.search.thought import Budget

MOVES_AHEAD = 30  # the time left is spread over so many moves when nothing says otherwise
SHARE = 0.9  # of a stretch of time; the rest is for the way there and back
LEAST = 0.01  # seconds

_SECONDS = re.compile(r"[0-9]{1,8}(?:\.[0-9]{1,6})?", re.ASCII)


@dataclass(frozen=True)
class Clock:
    """What was told of time; `budget` is None while nothing was.

    Attributes:
        main: Seconds for the whole game, before the stretches.
        stretch, stretch_moves: Then so many seconds for so many moves, again and again.
        left: By seat, the seconds and the moves that they are for; 0 moves for the rest.
    """

    main: float = 0.0
    stretch: float = 0.0
    stretch_moves: int = 0
    left: tuple[tuple[int, float, int], ...] = ()

    @classmethod
    def read_settings(cls, words: Sequence[str]) -> Clock:
        """Read `time_settings MAIN STRETCH MOVES`.

        Raises:
            UserError: These are not three numbers.
        """
        main, stretch, moves = _numbers(words, 3, "time_settings 0 5 1")
        if stretch and int(moves) == 0:  # the protocol's way to say that there is no limit
            return cls()
        return cls(main, stretch, int(moves))

    def with_time_left(self, seat: int, words: Sequence[str]) -> Clock:
        """Read the end of `time_left SEAT SECONDS MOVES`.

        Raises:
            UserError: These are not two numbers.
        """
        seconds, moves = _numbers(words, 2, "time_left 1 60 0")
        others = tuple(one for one in self.left if one[0] != seat)
        return replace(self, left=(*others, (seat, seconds, int(moves))))

    def after(self, seat: int, seconds: float) -> Clock:
        """Take what a move cost from what its seat has left."""
        known = {one: (left, moves) for one, left, moves in self.left}
        if seat not in known and not self.main:
            return self
        left, moves = known.get(seat, (self.main, 0))
        known[seat] = (max(0.0, left - seconds) if moves != 1 else 0.0, max(0, moves - 1))
        return replace(self, left=tuple((one, *rest) for one, rest in known.items()))

    def budget(self, seat: int) -> Budget | None:
        """Return how long a seat may think about its next move."""
        for one, seconds, moves in self.left:
            if one == seat and (seconds or not self.stretch):
                return _budget(seconds / (moves or MOVES_AHEAD))
            if one == seat:
                return _budget(self.stretch / self.stretch_moves)
        if self.main:
            return _budget(self.main / MOVES_AHEAD)
        if self.stretch:
            return _budget(self.stretch / self.stretch_moves)
        return None


def _budget(seconds: float) -> Budget:
    return Budget(seconds=max(LEAST, SHARE * seconds))


def _numbers(words: Sequence[str], count: int, example: str) -> list[float]:
    if len(words) != count or not all(_SECONDS.fullmatch(word) for word in words):
        raise UserError(f"Here {count} numbers are needed.", code="unreadable-time", hint=example)
    return [float(word) for word in words]
