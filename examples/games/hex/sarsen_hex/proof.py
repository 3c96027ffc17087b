"""Solve small boards of Hex by replies where the threat is (Hayward and van Rijswijck, 2006).

A side that has won only needs the cells of its winning lines, its carrier. A move that leaves the
carrier of the answer alone changes nothing, so only moves within it need to be tried, and only
those within the carriers of all answers found so far.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from sarsen_hex.rules import BESIDE, GAME


class OutOfTime(Exception):
    """The board is too large for the time."""


def score(options: str, seconds: float) -> float | None:
    """Return the score of the first player with best play, None if the time is too short."""
    start = GAME.start(options)
    if start.options["swap"]:
        return 0.0  # the second player swaps first stones that win, and only those
    solver = Solver(int(str(start.options["size"])), time.process_time() + seconds)
    try:
        is_won, _ = solver.solve(0, 0, 0)
    except (OutOfTime, RecursionError):
        return None
    return float(is_won)


def theory(options: str) -> tuple[float, str]:
    """Return the score of the first player with best play on a board of any size, and why."""
    if GAME.start(options).options["swap"]:
        return 0.0, "the second player swaps first stones that win, and only those"
    return 1.0, "there is no draw, and an extra stone never harms: John Nash, 1949"


def bits(cells: int) -> Iterator[int]:
    """Yield the numbers of the cells in a set; cell c is the bit 1 << c."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


@dataclass
class Solver:
    """Search positions, which are the cells of the side to move and those of the other one.

    Attributes:
        ends_at: By the processor's time.
        known: Of the positions that were searched, whether the side to move wins, and the
            carrier of the winner.
    """

    size: int
    ends_at: float
    known: dict[tuple[int, int, int], tuple[bool, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size, places = self.size, range(self.size)
        self.board = (1 << size * size) - 1
        self.near = [
            sum(
                1 << (row + down) * size + column + right
                for right, down in BESIDE
                if column + right in places and row + down in places
            )
            for row in places
            for column in places
        ]
        rows = [sum(1 << row * size + column for column in places) for row in (0, size - 1)]
        columns = [sum(1 << row * size + column for row in places) for column in (0, size - 1)]
        self.edges = rows, columns  # of Red, of Blue

    def solve(self, mine: int, theirs: int, side: int) -> tuple[bool, int]:
        """Return whether the side to move wins, and the carrier of the winner.

        Raises:
            OutOfTime: It would take longer.
        """
        found = self.known.get((mine, theirs, side))
        if found is not None:
            return found
        if len(self.known) % 256 == 0 and time.process_time() > self.ends_at:
            raise OutOfTime
        tried, carriers = self.board & ~mine & ~theirs, 0
        result = None
        for cell in self.ordered(mine, theirs, side):
            if not tried >> cell & 1:
                continue
            after = mine | 1 << cell
            if self.spread(self.edges[side][0], after) & self.edges[side][1]:
                result = True, 1 << cell
                break
            is_answered, carrier = self.solve(theirs, after, 1 - side)
            if not is_answered:
                result = True, carrier | 1 << cell
                break
            tried &= carrier
            carriers |= carrier
        self.known[mine, theirs, side] = result = result or (False, carriers)
        return result

    def ordered(self, mine: int, theirs: int, side: int) -> list[int]:
        """Return the free cells, those first through which both ways are short."""
        own, other = self.ways(mine, theirs, side), self.ways(theirs, mine, 1 - side)
        far, middle = 2 * self.board.bit_length(), (self.size - 1) / 2

        def rank(cell: int) -> tuple[int, float]:
            row, column = divmod(cell, self.size)
            way = own.get(cell, far) + other.get(cell, far)
            return way, abs(row - middle) + abs(column - middle)

        return sorted(bits(self.board & ~mine & ~theirs), key=rank)

    def ways(self, mine: int, theirs: int, side: int) -> dict[int, int]:
        """Return for each free cell how many stones the shortest way through it needs, and one."""
        one, other = (self.stones_from(edge, mine, theirs) for edge in self.edges[side])
        return {cell: one[cell] + other[cell] for cell in one.keys() & other.keys()}

    def stones_from(self, edge: int, mine: int, theirs: int) -> dict[int, int]:
        """Return for each free cell how many stones join it to an edge, its own included."""
        found: dict[int, int] = {}
        joined = self.spread(edge, mine)
        reached = (edge | self.beside(joined)) & ~mine & ~theirs
        seen, count = joined, 0
        while reached:
            count += 1
            found |= dict.fromkeys(bits(reached), count)
            seen |= reached
            beside = self.beside(reached)
            joined = self.spread(beside, mine & ~seen)
            seen |= joined
            reached = (beside | self.beside(joined)) & ~mine & ~theirs & ~seen
        return found

    def spread(self, cells: int, within: int) -> int:
        """Return what can be reached from some cells within a set."""
        found = new = cells & within
        while new:
            new = self.beside(new) & within & ~found
            found |= new
        return found

    def beside(self, cells: int) -> int:
        """Return the neighbours of some cells."""
        found = 0
        for cell in bits(cells):
            found |= self.near[cell]
        return found
