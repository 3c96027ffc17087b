"""Check that the first player of Visavis wins on the sizes 5, 7, 9, … 25.

    python check_visavis.py        checks every size; python check_visavis.py 5 9 those from 5 to 9

The rules in short. A place is a column and a row, A1 at the top left. O has pegs in the even
rows, in columns A C E …; X has pegs in the odd rows, in columns C E G … On the drawing, a column
is two characters wide, a row stands one character further right than the row above, and pegs of X
stand one further left than those of O. A move is a bridge between neighbouring pegs of one's own,
named after its middle; beside E5 are C5 and G5, E3 and G3, C7 and E7. It may not cross bridges of
the other side. O begins, and wins by joining left and right, X by joining top and bottom.

The claim: O wins, whatever X does, by this rule. Let N be half the size, rounded down. The board
falls into cells (i, j), i = 0 … N-1, j = 1 … N, with up to three bridges of each side, see
`cell_bridges`. Idle bridges, along an end of their own side, join nothing new and lie in no cell.
A bridge of O is open if it is not built and no bridge of X crosses it. The web of a colour is all
that O has built, and O's open bridges in the cells of this colour, `colour_of`. O begins with a
lying or upright bridge of a cell with i + j = N. Then, if a web is in two pieces, O builds an
open bridge of the other colour between these pieces, and otherwise any bridge.

Why O wins. (1) Two bridges cross if they lie in one cell and run different ways, and never else.
(2) By a bridge of X, what O can join in its cell falls into one piece more at most. (3) After
each opening both webs join all pegs of O, where those of an end count as one. So let both webs be
whole. By 1, X's next bridge closes bridges of one cell, of one colour; by 2 the web of this
colour has two pieces at most. The other web is whole: one of its bridges leads from piece to piece.
It is not built, or it would be in both webs; so it is open, O builds it, and both webs are whole
again. X's chain, which would cross O's way from left to right in each web, is never finished.
Bridges never go away, so the game ends, and O has won.

What is checked on each size: 1, each bridge of O with each of X; 2, each cell, all that can stand
in it, and each next bridge; 3, each opening. On 5 and 7 also that O wins after every reply of X in
every position to which the rule leads, where O builds the first bridge that it allows.
"""

from __future__ import annotations

import sys
from itertools import combinations, product

Place = tuple[int, int]  # column and row, both counted from 1; or a cell


def expect(is_true: bool, fault: str) -> None:
    if not is_true:
        print(f"{fault}.")
        sys.exit(1)


def cell_bridges(side: str, i: int, j: int) -> list[Place]:
    """Return the middles of a side's lying, upright and slanting bridge in a cell."""
    if side == "O":
        return [(2 * i + 2, 2 * j), (2 * i + 1, 2 * j + 1), (2 * i + 2, 2 * j + 1)]
    return [(2 * i + 2, 2 * j + 1), (2 * i + 3, 2 * j), (2 * i + 2, 2 * j)]


def colour_of(cell: Place) -> int:
    return (cell[0] + cell[1]) % 2


class Bridge:
    """A bridge of a side; `bit` stands for it in a set of bridges, which is a number.

    It joins two points, `ends`: pegs, where all pegs of an end of the side are one point. The
    other side's bridges that cross it are the set `crossed`.
    """

    def __init__(self, side: str, size: int, pegs: list[Place], bit: int) -> None:
        (c, r), (last_c, last_r) = pegs
        self.pegs, self.way, self.bit, self.crossed = pegs, (last_c - c, last_r - r), bit, 0
        middle, at = ((c + last_c) // 2, (r + last_r) // 2), "OX".index(side)
        self.name = f"{chr(ord('A') + middle[0] - 1)}{middle[1]}"
        self.ends = [(peg[at], 0) if peg[at] in (1, size) else peg for peg in pegs]
        self.is_idle = self.ends[0] == self.ends[1]
        cells = product(range(size // 2), range(1, size // 2 + 1))
        found = [cell for cell in cells if middle in cell_bridges(side, *cell)]
        expect(self.is_idle or len(found) == 1, f"Size {size}: {side}'s {self.name} has no cell")
        self.cell = (-middle[0], -middle[1]) if self.is_idle else found[0]


def bridges_of(side: str, size: int) -> list[Bridge]:
    rows, columns = range(1, size + 1, 2), range(3, size + 1, 2)
    if side == "O":
        rows, columns = range(2, size, 2), range(1, size + 1, 2)
    pegs = [(c, r) for r in rows for c in columns]
    pairs = [[(c, r), (c + x, r + y)] for c, r in pegs for x, y in ((2, 0), (0, 2), (-2, 2))]
    pairs = [pair for pair in pairs if pair[1] in pegs]
    pairs.sort(key=lambda pair: (pair[0][1] + pair[1][1], pair[0][0] + pair[1][0]))  # by middle
    return [Bridge(side, size, pair, 1 << at) for at, pair in enumerate(pairs)]


def turn(p: Place, q: Place, s: Place) -> int:
    """Return a number that is positive if s lies on the one side of the line from p to q."""
    return (q[0] - p[0]) * (s[1] - p[1]) - (q[1] - p[1]) * (s[0] - p[0])


def do_cross(one: Bridge, other: Bridge) -> bool:
    """Return whether a bridge of O and one of X cross on the drawing."""
    a, b = ((2 * column + row, row) for column, row in one.pegs)
    c, d = ((2 * column + row - 1, row) for column, row in other.pegs)
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def pieces(bridges: list[Bridge], built: list[Bridge]) -> dict[Place, Place]:
    """Return for each point of some bridges one that stands for its piece."""
    piece = {point: point for bridge in bridges for point in bridge.ends}
    for bridge in built:
        old, new = (piece[end] for end in bridge.ends)
        if old != new:
            piece = {point: new if one == old else one for point, one in piece.items()}
    return piece


def count(bridges: list[Bridge], built: list[Bridge]) -> int:
    return len(set(pieces(bridges, built).values()))


def subsets(bridges: list[Bridge]) -> list[int]:
    return [sum(b.bit for b in some) for k in range(4) for some in combinations(bridges, k)]


class Board:
    def __init__(self, size: int) -> None:
        self.size, self.o, self.x = size, bridges_of("O", size), bridges_of("X", size)
        self.openings = [b for b in self.o if sum(b.cell) == size // 2 and b.way != (-2, 2)]
        self.met: set[tuple[int, int]] = set()
        self.cuts = self.replies = 0

    def check_crossings(self) -> None:
        """Check that bridges cross if they lie in one cell and run different ways."""
        for o, x in product(self.o, self.x):
            is_crossing = o.cell == x.cell and o.way != x.way
            fault = f"Size {self.size}: a wrong crossing, O's {o.name} and X's {x.name}"
            expect(do_cross(o, x) == is_crossing, fault)
            if is_crossing:
                o.crossed, x.crossed = o.crossed | x.bit, x.crossed | o.bit

    def check_cuts(self) -> None:
        """Check that X parts what O can join in a cell into one piece more at most."""
        for new in (b for b in self.x if not b.is_idle):
            own = [b for b in self.o if b.cell == new.cell]
            others = [b for b in self.x if b.cell == new.cell and b is not new]
            for o, x in product(subsets(own), subsets(others)):
                if not any(b.bit & o and b.crossed & (x | new.bit) for b in own):
                    before = count(own, [b for b in own if not b.crossed & x])
                    after = count(own, [b for b in own if not b.crossed & (x | new.bit)])
                    expect(after <= before + 1, f"Size {self.size}: X's {new.name} cuts twice")
                    self.cuts += 1

    def check_openings(self) -> None:
        """Check that after each opening both webs join all points."""
        for b, colour in product(self.openings, (0, 1)):
            parts = count(self.o, self.web(colour, b.bit, 0))
            expect(parts == 1, f"Size {self.size}: {b.name} leaves a web in pieces")

    def web(self, colour: int, o: int, x: int) -> list[Bridge]:
        joinable = [b for b in self.o if not b.crossed & x]
        return [b for b in joinable if b.bit & o or colour_of(b.cell) == colour]

    def answers(self, o: int, x: int) -> list[Bridge]:
        """Return what O may answer by the rule; of any bridges those that join something new."""
        torn, piece = -1, pieces(self.o, [b for b in self.o if b.bit & o])
        for colour in (1, 0):
            web = pieces(self.o, self.web(colour, o, x))
            if len(set(web.values())) > 1:
                torn, piece = colour, web
        free = [b for b in self.o if not (b.bit & o or b.crossed & x)]
        across = [b for b in free if piece[b.ends[0]] != piece[b.ends[1]]]
        return [b for b in across if colour_of(b.cell) != torn]

    def has_joined(self, bridges: list[Bridge], built: int) -> bool:
        piece = pieces(bridges, [b for b in bridges if b.bit & built])
        return piece[1, 0] == piece[self.size, 0]

    def try_replies(self, o: int, x: int, play: str) -> None:
        """Check that O wins after every reply of X; idle ones, which change nothing, are one."""
        if (o, x) in self.met or self.has_joined(self.o, o):
            return
        self.met.add((o, x))
        moves = [(b.name, b.bit) for b in self.x if not (b.is_idle or b.bit & x or b.crossed & o)]
        for name, bit in [("idle", 0), *moves]:
            self.replies += 1
            expect(not self.has_joined(self.x, x | bit), f"{play} {name}: X has won")
            answers = self.answers(o, x | bit)
            expect(bool(answers), f"{play} {name}: O has no answer")
            self.try_replies(o | answers[0].bit, x | bit, f"{play} {name} {answers[0].name}")


if __name__ == "__main__":
    limits = [int(word) for word in sys.argv[1:]] or [5, 25]
    sizes = [size for size in range(5, 26, 2) if limits[0] <= size <= limits[-1]]
    expect(bool(sizes), "There are sizes from 5 to 25")
    for board in map(Board, sizes):
        board.check_crossings()
        board.check_cuts()
        board.check_openings()
        for first in board.openings if board.size <= 7 else []:
            board.try_replies(first.bit, 0, f"Size {board.size}: {first.name}")
        crossings, openings = sum(b.crossed.bit_count() for b in board.o), len(board.openings)
        print(f"Size {board.size}: {crossings} crossings, {board.cuts} cuts,", end=" ")
        print(f"{openings} openings, {len(board.met)} positions, {board.replies} replies.")
    print(f"The first player wins on {', '.join(map(str, sizes))}.")
