"""The monument: squares, stones, and what may stand on what.

A square is a number, `16 * row + column`, both counted from 0 at the bottom left, on
a site of any size. Sets of squares are bits of one number. Columns 12 to 15 stay empty
always, so a step off the left or right side never arrives in another row.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import NamedTuple

from sarsen.core.options import Flag, Number, Options, read_options

V, H = 0, 1
SIDES = ("V", "H")
EAST, NORTH = 1, 16


class Sarsen(NamedTuple):
    """A stone of one square."""

    square: int

    @property
    def squares(self) -> tuple[int, ...]:
        return (self.square,)


class Lintel(NamedTuple):
    """A stone of three squares: `start` is its west or south end, `step` EAST or NORTH."""

    start: int
    step: int

    @property
    def squares(self) -> tuple[int, int, int]:
        return (self.start, self.start + self.step, self.start + 2 * self.step)


Piece = Sarsen | Lintel


class Stone(NamedTuple):
    """A piece in its place; `step` is 0 for a sarsen, `level` 0 on the ground."""

    level: int
    start: int
    step: int
    side: int

    @property
    def piece(self) -> Piece:
        return Lintel(self.start, self.step) if self.step else Sarsen(self.start)


class PlacementFault(Enum):
    """Why a piece may not be placed."""

    ENEMY_BELOW = auto()
    GROUND_BELOW = auto()
    ENEMY_END = auto()
    UNEVEN_ENDS = auto()
    MIDDLE_TOO_HIGH = auto()
    GAP = auto()
    NOT_EXACT = auto()


@dataclass(frozen=True, slots=True)
class Monument:
    """All stones. Never changes.

    Attributes:
        heights: By square; stones and gaps count alike.
        tops: For V and for H, the set of squares whose top stone is theirs.
        stones: In the order of level, then square.
    """

    size: int
    heights: tuple[int, ...]
    tops: tuple[int, int]
    stones: tuple[Stone, ...] = ()

    def fault(self, piece: Piece, side: int, terms: Terms) -> PlacementFault | None:
        """Return why a side may not place a piece that lies within the site, or None."""
        if isinstance(piece, Lintel):
            return self._lintel_fault(piece, side, terms)
        return PlacementFault.ENEMY_BELOW if self.tops[1 - side] >> piece.square & 1 else None

    def _lintel_fault(self, lintel: Lintel, side: int, terms: Terms) -> PlacementFault | None:
        first, middle, last = lintel.squares
        heights, own = self.heights, self.tops[side]
        bed = heights[first]
        if not bed or not heights[last]:
            return PlacementFault.GROUND_BELOW
        if not terms.exact and not own >> first & own >> last & 1:
            return PlacementFault.ENEMY_END
        if heights[last] != bed:
            return PlacementFault.UNEVEN_ENDS
        if heights[middle] > bed:
            return PlacementFault.MIDDLE_TOO_HIGH
        if terms.nogaps and heights[middle] < bed:
            return PlacementFault.GAP
        # Ruling D4: -exact wants two own stones to bear the lintel, never three; the odd
        # place may be an end. A middle below the bed is a gap, no matter who owns the stone there.
        # Ruling D3: without -exact three own stones are fine.
        if terms.exact and sum(own >> s & 1 for s in lintel.squares if heights[s] == bed) != 2:
            return PlacementFault.NOT_EXACT
        return None

    def pieces(self, side: int, terms: Terms) -> list[Piece]:
        """List what a side may place: sarsens, then lintels, each in the order of squares."""
        free = site(self.size).every & ~self.tops[1 - side]
        pieces: list[Piece] = list(map(Sarsen, squares_of(free)))
        ends = self.tops[V] | self.tops[H] if terms.exact else self.tops[side]
        for step in (EAST, NORTH):
            for start in squares_of(ends & ends >> 2 * step):
                lintel = Lintel(start, step)
                if self._lintel_fault(lintel, side, terms) is None:
                    pieces.append(lintel)
        return pieces

    def put(self, piece: Piece, side: int) -> Monument:
        """Return the monument with one more piece, which must be free of faults."""
        squares = piece.squares
        level = self.heights[squares[0]]
        heights, covered = list(self.heights), 0
        for square in squares:
            heights[square] = level + 1
            covered |= 1 << square
        theirs = self.tops[1 - side] & ~covered
        ours = self.tops[side] | covered
        step = piece.step if isinstance(piece, Lintel) else 0
        stone = Stone(level, squares[0], step, side)
        at = bisect(self.stones, stone)
        return Monument(
            self.size,
            tuple(heights),
            (ours, theirs) if side == V else (theirs, ours),
            (*self.stones[:at], stone, *self.stones[at:]),
        )

    def owner(self, square: int) -> int | None:
        """Return whose stone lies on top of a square; None for bare ground."""
        if self.tops[V] >> square & 1:
            return V
        return H if self.tops[H] >> square & 1 else None

    def is_joined_by(self, side: int) -> bool:
        """Return whether a side's top stones join its two edges, whatever their heights."""
        begin, goal = self._edges(side)
        return bool(_reach(self.tops[side], begin) & goal)

    def chain(self, side: int) -> int:
        """Return the set of squares by which a side joins its two edges; empty if it does not."""
        begin, goal = self._edges(side)
        return _reach(self.tops[side], begin) & _reach(self.tops[side], goal)

    def _edges(self, side: int) -> tuple[int, int]:
        edges = site(self.size)
        return (edges.bottom, edges.top) if side == V else (edges.left, edges.right)


def empty_site(size: int) -> Monument:
    """Return the site before the first stone."""
    return Monument(size, (0,) * (NORTH * size), (0, 0))


class Site(NamedTuple):
    """Sets of squares of a site of one size."""

    every: int
    bottom: int
    top: int
    left: int
    right: int

    @property
    def edge(self) -> int:
        return self.bottom | self.top | self.left | self.right


@cache
def site(size: int) -> Site:
    """Return the sets of squares of a site."""
    row = (1 << size) - 1
    column = sum(1 << NORTH * y for y in range(size))
    return Site(
        every=row * column,
        bottom=row,
        top=row << NORTH * (size - 1),
        left=column,
        right=column << size - 1,
    )


def squares_of(squares: int) -> list[int]:
    """List the squares of a set in their order: row by row from the bottom."""
    listed = []
    while squares:
        lowest = squares & -squares
        listed.append(lowest.bit_length() - 1)
        squares ^= lowest
    return listed


def column_row(square: int) -> tuple[int, int]:
    """Return a square's column and row, both counted from 0."""
    return square % NORTH, square // NORTH


def _reach(own: int, begin: int) -> int:
    reached, grown = 0, own & begin
    while grown != reached:
        reached = grown
        beside = grown << EAST | grown >> EAST | grown << NORTH | grown >> NORTH
        grown |= own & beside
    return reached


SMALLEST, LARGEST = 3, 12

OPTIONS = (
    Number("size", "squares along each side of the board", SMALLEST, LARGEST, 8),
    Flag("nogaps", "no gap may be left under the middle of a lintel", words="no gaps"),
    Flag("exact", "a lintel rests on exactly two stones of its own colour", words="exact lintels"),
    Flag("swap", "H may swap sides after the first stone", words="with swap"),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The options of one match; the fields are named like the options."""

    size: int
    nogaps: bool
    exact: bool
    swap: bool

    @property
    def most_plies(self) -> int:
        # Ruling D5: stones may be stacked for ever, so a game of 10 n² plies is a draw.
        return 10 * self.size**2

    def options(self) -> Options:
        """Return the options these terms were made of. The pair of `terms_of`."""
        return read_options(
            OPTIONS,
            {"size": self.size, "nogaps": self.nogaps, "exact": self.exact, "swap": self.swap},
        )


def terms_of(options: Options) -> Terms:
    """Make terms of options."""
    return Terms(
        options.number("size"),
        options.flag("nogaps"),
        options.flag("exact"),
        options.flag("swap"),
    )
