"""The board: slots, goals, connections, and the legs that a ring can go on them.

A place is a number: 0 is slot 11, 1 is slot 12 … 35 is slot 66, then the goals,
36 South's and 37 North's. Sets of places and of connections are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sarsen.core.phrases import Phrase

SIDES = ("South", "North")
SOUTH, NORTH = 0, 1

ROWS = range(1, 7)
SLOTS = range(36)
GOALS = (36, 37)  # by seat, the goal that the seat defends
NAMES = (*(f"{row}{column}" for row in ROWS for column in range(1, 7)), "S", "N")
PLACES = {name: place for place, name in enumerate(NAMES)}
VALUES = {1: Phrase("single"), 2: Phrase("double"), 3: Phrase("triple")}

Rings = bytes
"""One byte a place: 0 for nothing there, else the value of its ring."""

EMPTY: Rings = bytes(len(NAMES))
RINGS_IN_ALL = 12


@dataclass(frozen=True, slots=True)
class Leg:
    """One way to make exactly a ring's number of connections.

    Attributes:
        end: The place where the leg ends.
        passed: The slots between, in order; all must be empty.
        between: The same as a mask of places.
        connections: The connections used, as a mask.
    """

    end: int
    passed: tuple[int, ...]
    between: int
    connections: int


def row_of(place: int) -> int:
    """Return the row of a slot, 1 to 6."""
    return place // 6 + 1


def column_of(place: int) -> int:
    """Return the column of a slot, 1 to 6."""
    return place % 6 + 1


def shore(rings: Rings, seat: int) -> int:
    """Return the row of a player's shore: the one with rings nearest to the own goal."""
    return next(row for row in _rows_from(seat) if any(rings[6 * row - 6 : 6 * row]))


def shore_rings(rings: Rings, seat: int) -> tuple[int, ...]:
    """Return the places of the rings a player may move.

    Ruling G1: those of the shore only, even when none of them can move.
    """
    first = 6 * shore(rings, seat) - 6
    return tuple(place for place in range(first, first + 6) if rings[place])


def occupied(rings: Rings) -> int:
    """Return the mask of the slots with a ring."""
    return sum(1 << place for place in SLOTS if rings[place])


def _rows_from(seat: int) -> range:
    return ROWS if seat == SOUTH else ROWS[::-1]


def _neighbours(place: int) -> list[int]:
    if place in GOALS:
        return []  # Ruling G3: no move goes on from a goal.
    row, column = row_of(place), column_of(place)
    places = [place - 6] if row > 1 else [GOALS[SOUTH]]
    places += [place - 1] if column > 1 else []
    places += [place + 1] if column < 6 else []
    places += [place + 6] if row < 6 else [GOALS[NORTH]]
    return places


def _number_connections() -> dict[frozenset[int], int]:
    pairs = [frozenset((place, other)) for place in SLOTS for other in _neighbours(place)]
    return {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}


_CONNECTIONS = _number_connections()


def _legs(place: int, value: int) -> tuple[Leg, ...]:
    walks = [Leg(place, (), 0, 0)]
    for step in range(value):
        walks = [
            _longer(leg, to, step)
            for leg in walks
            for to in _neighbours(leg.end)
            if not leg.connections & _bit(leg.end, to)
        ]
    return tuple(sorted(walks, key=lambda leg: (leg.end, leg.passed)))


def _longer(leg: Leg, to: int, step: int) -> Leg:
    passed = (*leg.passed, leg.end) if step else ()
    between = leg.between | (1 << leg.end if step else 0)
    return Leg(to, passed, between, leg.connections | _bit(leg.end, to))


def _bit(place: int, other: int) -> int:
    return 1 << _CONNECTIONS[frozenset((place, other))]


LEGS = {value: tuple(_legs(place, value) for place in SLOTS) for value in VALUES}
"""By value and place, in the order of where they end."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """The six rings a player starts with.

    Attributes:
        rings: Their values in columns 1 to 6 as South looks: `231123`.
    """

    rings: str

    def __str__(self) -> str:
        return self.rings


class RingMove(NamedTuple):
    """The move of one ring, and those that follow it while the opponent is stalemated.

    Attributes:
        stops: The origin, every ring bounced on, and the end: `("13", "14", "24")`.
        relocation: Where the ring that stood at the end goes; empty when none did.
        then: The same player's next move, sent along with this one.
    """

    stops: tuple[str, ...]
    relocation: str = ""
    then: RingMove | None = None

    @property
    def parts(self) -> Iterator[RingMove]:
        """The single moves, in order."""
        part: RingMove | None = self
        while part is not None:
            yield part._replace(then=None)
            part = part.then

    def __str__(self) -> str:
        return "; ".join(_single(part) for part in self.parts)


Move = SetUp | RingMove


def chain(parts: Sequence[RingMove]) -> RingMove:
    """Join single moves into one: the pair of `RingMove.parts`."""
    joined = parts[-1]
    for part in reversed(parts[:-1]):
        joined = part._replace(then=joined)
    return joined


def _single(move: RingMove) -> str:
    *way, end = move.stops
    if move.relocation:
        return f"{'-'.join(way)}x{end}={move.relocation}"
    return "-".join(move.stops)
