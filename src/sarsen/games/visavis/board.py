"""The board: where pegs and bridges stand, and which bridges cross.

A set of pegs or of bridges is one integer, a bit a coordinate. Column 0 and row 0
stay empty, so that a step from a coordinate to its neighbour is a plain shift
that never runs into the next row. Pegs and bridges of one side never share a
coordinate: a bridge stands at the midpoint of its two pegs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sarsen.core.options import Flag, Number, Option

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"

O, X = 0, 1  # noqa: E741 - the sides are called so; O moves first
SIDES = ("O", "X")
ENDS = (("left", "right"), ("top", "bottom"))  # what each side joins

Coordinate = tuple[int, int]  # column and row, both from 1; row 1 is the top


@dataclass(frozen=True)
class VisavisBoard:
    """The places of one board size, a pair for O and X each.

    Attributes:
        size: Letters, and rows; odd.
        pegs: The pegs.
        places: Where a bridge may ever stand.
        ends: The pegs of the two sides to be joined.
        named: The places in reading order, each with its coordinate's name.
        bits: The place of each name.
    """

    size: int
    pegs: tuple[int, int]
    places: tuple[int, int]
    ends: tuple[tuple[int, int], tuple[int, int]]
    named: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
    bits: tuple[dict[str, int], dict[str, int]]

    def place(self, side: int, coordinate: Coordinate) -> int:
        """Return a side's place at a coordinate, or nothing when it has none there."""
        return self.bits[side].get(name(*coordinate), 0)

    def coordinates(self, places: int) -> Iterator[Coordinate]:
        """Yield the column and row of everything in a set, in reading order."""
        while places:
            lowest = places & -places
            row, column = divmod(lowest.bit_length() - 1, self.size + 1)
            yield column, row
            places ^= lowest

    def names(self, places: int) -> list[str]:
        """Name everything in a set, in reading order."""
        return [name(*coordinate) for coordinate in self.coordinates(places)]

    def steps(self) -> tuple[int, int, int]:
        """Return the shifts from a peg to its bridges to the right, below, and below left."""
        return 1, self.size + 1, self.size

    def crossed(self, side: int, bridges: int) -> int:
        """Return the other side's places that these bridges cross.

        Ruling X2: bridges block each other when they cross in the plane. There X's
        (c, r) meets O's (c, r), (c-1, r) and (c-1, r+1), of which two are places
        and the third is a peg; the masks of places leave the pegs out.
        """
        if side == X:
            return (bridges | bridges >> 1 | bridges << self.size) & self.places[O]
        return (bridges | bridges << 1 | bridges >> self.size) & self.places[X]


@cache
def board_of(size: int) -> VisavisBoard:
    """Return the board of an odd size."""
    pegs_o, places_o = _lattice(O, size)
    pegs_x, places_x = _lattice(X, size)
    named_o = tuple((name(*place), _bits([place], size)) for place in places_o)
    named_x = tuple((name(*place), _bits([place], size)) for place in places_x)
    left, right = ([(c, r) for c, r in pegs_o if c == end] for end in (1, size))
    top, bottom = ([(c, r) for c, r in pegs_x if r == end] for end in (1, size))
    return VisavisBoard(
        size=size,
        pegs=(_bits(pegs_o, size), _bits(pegs_x, size)),
        places=(_bits(places_o, size), _bits(places_x, size)),
        ends=((_bits(left, size), _bits(right, size)), (_bits(top, size), _bits(bottom, size))),
        named=(named_o, named_x),
        bits=(dict(named_o), dict(named_x)),
    )


def name(column: int, row: int) -> str:
    """Name a coordinate as players write it: `D4`."""
    return f"{LETTERS[column - 1]}{row}"


def joined_pegs(side: int, column: int, row: int) -> tuple[Coordinate, Coordinate]:
    """Return the two pegs that a side's bridge at a place joins, the left or upper one first.

    X: odd row `-`, even row and odd letter `\\`, even row and even letter `/`.
    O: the same with odd and even rows exchanged.
    """
    if row % 2 == side:
        return (column - 1, row), (column + 1, row)
    if column % 2:
        return (column, row - 1), (column, row + 1)
    return (column - 1, row + 1), (column + 1, row - 1)


def is_peg(side: int, column: int, row: int, size: int) -> bool:
    """Return whether a side has a peg at a coordinate.

    O has the even rows and the columns A, C, E …; X the odd rows and C, E, G ….
    """
    first_column, rows = (1, range(2, size, 2)) if side == O else (3, range(1, size + 1, 2))
    return column in range(first_column, size + 1, 2) and row in rows


def _lattice(side: int, size: int) -> tuple[list[Coordinate], list[Coordinate]]:
    """Return the pegs and the places of a side, in reading order.

    Ruling X3: bridges along a side count among the places, though useless.
    """
    everywhere = [(c, r) for r in range(1, size + 1) for c in range(1, size + 1)]
    pegs = [peg for peg in everywhere if is_peg(side, *peg, size)]
    places = [
        place
        for place in everywhere
        if not is_peg(side, *place, size)
        and all(is_peg(side, *peg, size) for peg in joined_pegs(side, *place))
    ]
    return pegs, places


def _bits(coordinates: list[Coordinate], size: int) -> int:
    return sum(1 << (row * (size + 1) + column) for column, row in coordinates)


OPTIONS: tuple[Option, ...] = (
    # Ruling X1: only odd sizes, with the reason.
    Number(
        "size",
        "letters and rows of the board",
        low=5,
        high=25,
        default=25,
        step=2,
        why="the size must be odd; an even one would end in a row of the wrong colour.",
    ),
    Flag("swap", "X may swap sides after the first bridge", words="with swap"),
)


def chain_from(board: VisavisBoard, pegs: int, bridges: int) -> int:
    """Return all pegs that bridges join to the given ones, these included."""
    while True:
        grown = _grown(board, pegs, bridges)
        if grown == pegs:
            return pegs
        pegs = grown


def joins_sides(board: VisavisBoard, side: int, bridges: int, through: int = 0) -> bool:
    """Return whether bridges join the two sides of their owner.

    Args:
        board, side, bridges: Whose, and where.
        through: A bridge that the chain must hold, to save looking at the others.
    """
    first, last = board.ends[side]
    if through:
        chain = chain_from(board, pegs_at(board, side, through), bridges)
        return bool(chain & first and chain & last)
    return bool(chain_from(board, first, bridges) & last)


def chains(board: VisavisBoard, side: int, bridges: int) -> Iterator[tuple[int, int]]:
    """Yield each chain as its pegs and its bridges, in reading order of the first bridge."""
    left = bridges
    while left:
        pegs = chain_from(board, pegs_at(board, side, left & -left), bridges)
        around = 0
        for step in board.steps():
            around |= pegs << step | pegs >> step
        yield pegs, around & bridges
        left &= ~around


def winning_chain(board: VisavisBoard, side: int, bridges: int) -> int:
    """Return the bridges of a shortest chain that joins the two sides, or none."""
    first, last = board.ends[side]
    layers = [first]
    while not layers[-1] & last:
        grown = _grown(board, layers[-1], bridges)
        if grown == layers[-1]:
            return 0
        layers.append(grown)
    reached = layers.pop() & last
    peg = reached & -reached
    chain = 0
    while layers:
        before = layers.pop()
        bridge, peg = _way_back(board, peg, bridges, before)
        chain |= bridge
    return chain


def _grown(board: VisavisBoard, pegs: int, bridges: int) -> int:
    """Add the pegs at the far ends of all bridges that begin at a peg."""
    grown = pegs
    for step in board.steps():
        grown |= (pegs << step & bridges) << step | (pegs >> step & bridges) >> step
    return grown


def _way_back(board: VisavisBoard, peg: int, bridges: int, before: int) -> tuple[int, int]:
    """Return a bridge from a peg to one of those before, and that one."""
    ways = [(peg << step, peg << 2 * step) for step in board.steps()]
    ways += [(peg >> step, peg >> 2 * step) for step in board.steps()]
    return next(way for way in ways if way[0] & bridges and way[1] & before)


def pegs_at(board: VisavisBoard, side: int, bridge: int) -> int:
    """Return the two pegs of one bridge."""
    around = 0
    for step in board.steps():
        around |= bridge << step | bridge >> step
    return around & board.pegs[side]
