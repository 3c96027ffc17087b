#!/usr/bin/env python3
"""Check a certificate of Vasco: that a side wins, or does not lose, whatever the other does.

    python check_vasco.py vasco-34.txt

The first line of a certificate is its claim: `vasco -size=34: X wins`, or `vasco -size=18: O does
not lose`. The lines after it are answers of that side, written as players write them: `b13` lays
rotation b at position 13 of the board.

This program goes through all moves of the other side, depth-first, by position and rotation. Where
the side can end the game at once as claimed, any such move does; else the next line is its answer.
A position met before is left out. Nothing is searched, and nothing is assumed but the rules:
- A tile shows o, x and * on its edges, once each, in six ways a to f: left, right, base. Cells are
  (row, column); those with an even sum point up. The first tile lies on (0, 0).
- A tile is laid next to a tile, by an edge or a corner. Edges that meet are alike, and no empty
  cell may see a colour twice. A cell beside a tile that takes one rotation only is filled at once
  from the pool, the first in reading order first, until there is none or the pool is empty.
- Then all tiles hang together by their edges, and each empty cell beside them takes a rotation.
- O owns the paths from o to *, X those from x to *. A closed loop wins; of two the longer loses.
  When the pool is empty, or no move is left, the longest path loses. Equal lengths are a draw.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from itertools import product

Cell = tuple[int, int]
Tiles = dict[Cell, str]
Move = tuple[Cell, str]
Laid = tuple[Tiles, list[Cell]]  # the tiles after a move, and the cells that it filled
ROTATIONS = {"a": "ox*", "b": "o*x", "c": "xo*", "d": "x*o", "e": "*ox", "f": "*xo"}


@cache
def beside(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """Return the cells beyond the left edge, the right edge and the base."""
    row, column = cell
    below = row + 1 if (row + column) % 2 == 0 else row - 1
    return (row, column - 1), (row, column + 1), (below, column)


@cache
def around(cell: Cell) -> set[Cell]:
    """Return the cells that share a corner with a cell."""
    row, column = cell
    base = beside(cell)[2][0]
    steps = {row: (-2, -1, 1, 2), base: (-2, -1, 0, 1, 2), 2 * row - base: (-1, 0, 1)}
    return {(other, column + step) for other in steps for step in steps[other]}


def seen(tiles: Tiles, cell: Cell) -> str:
    """Return what a cell sees through its left edge, right edge and base; a space for no tile."""
    left, right, base = beside(cell)
    return tiles.get(left, "   ")[1] + tiles.get(right, "   ")[0] + tiles.get(base, "   ")[2]


def possible(tiles: Tiles, cell: Cell) -> tuple[str, ...]:
    """Return the rotations that match and leave no empty cell that sees a colour twice."""
    views = ("" if other in tiles else seen(tiles, other) for other in beside(cell))
    return matching(seen(tiles, cell), *views)


@cache
def matching(edges: str, *views: str) -> tuple[str, ...]:
    """Return the rotations for a cell that sees `edges`, beside empty cells that see `views`."""
    return tuple(
        colours
        for colours in ROTATIONS.values()
        if all(
            edge in (" ", colour) and colour not in view
            for edge, colour, view in zip(edges, colours, views, strict=True)
        )
    )


def path(tiles: Tiles, start: Cell, own: str) -> int:
    """Return how many tiles the path of a colour through a tile has; below 0 for a loop."""
    count = 1
    for end in ("*", own):
        leaving, cell = end, beside(start)[tiles[start].index(end)]
        while cell in tiles:
            if cell == start:
                return -count
            count, leaving = count + 1, own if leaving == "*" else "*"
            cell = beside(cell)[tiles[cell].index(leaving)]
    return count


def shorter(o_length: int, x_length: int) -> str:
    return "draw" if o_length == x_length else "OX"[x_length < o_length]


class Check:
    """Go through a certificate; a ValueError says where it does not prove its claim."""

    def __init__(self, lines: list[str]) -> None:
        claim = lines[0].strip()
        _, size, side, wanted = claim.split(" ", 3)
        self.pool = int(size.removeprefix("-size=").removesuffix(":"))
        self.good = {"wins": {side}, "does not lose": {side, "draw"}}[wanted]
        self.answers, self.met = iter(lines[1:]), set[tuple[bool, frozenset[tuple[Cell, str]]]]()
        self.positions = self.replies = 0
        # Whether anything asked for the end of the pool; and the move that ended a game last.
        self.is_pool_asked, self.end = False, ((0, 0), "a")
        (self.reply if side == "X" else self.answer)({}, "")
        if next(self.answers, None) is not None:
            raise ValueError("there are more answers than positions")
        more = "" if self.is_pool_asked else " The same holds with more tiles."
        self.found = f"{self.positions} positions, {self.replies} replies. {claim}: proven.{more}"

    def lay(self, before: Tiles, cell: Cell, letter: str) -> Laid | None:
        """Return the tiles after a move that fits and the cells filled; None if it is illegal."""
        tiles, laid, near = {**before, cell: ROTATIONS[letter]}, [cell], set[Cell]()
        while True:
            # Only cells within two steps of a new tile can have become forced, or unfillable.
            near.update(*({other, *beside(other)} for other in beside(laid[-1])))
            empty = [other for other in near - tiles.keys() if seen(tiles, other) != "   "]
            ways = {other: possible(tiles, other) for other in empty}
            if () in ways.values():
                return None
            forced = min((other for other in empty if len(ways[other]) == 1), default=None)
            if forced is None or len(tiles) == self.pool:
                break
            tiles[forced] = ways[forced][0]
            laid.append(forced)
        self.is_pool_asked |= forced is not None
        group = {cell}
        for _ in laid:
            group |= {other for other in laid if not group.isdisjoint(beside(other))}
        is_joined = any(other in before for tile in group for other in beside(tile))
        return (tiles, laid) if is_joined or not before else None

    def moves(self, tiles: Tiles, *first: Move) -> Iterator[tuple[Move, Laid]]:
        """Yield the legal moves in reading order and by rotation, with what comes of them."""
        cells = set[Cell]().union(*map(around, tiles)) - tiles.keys() if tiles else {(0, 0)}
        for cell, letter in (*first, *product(sorted(cells), ROTATIONS)):
            is_matching = cell in cells and ROTATIONS[letter] in possible(tiles, cell)
            if is_matching and (after := self.lay(tiles, cell, letter)):
                yield (cell, letter), after

    def result(self, tiles: Tiles, laid: list[Cell]) -> str:
        """Return O, X or draw at the end of a game, and else nothing."""
        loops = [max(-path(tiles, cell, own) for cell in laid) for own in "ox"]
        if max(loops) > 0:
            return shorter(*loops) if min(loops) > 0 else "OX"[loops[1] > 0]
        was_asked = self.is_pool_asked
        if len(tiles) < self.pool and next(self.moves(tiles), None):
            self.is_pool_asked = was_asked  # these moves ask for it when their turn comes
            return ""
        self.is_pool_asked |= len(tiles) == self.pool
        return shorter(*(max(path(tiles, cell, own) for cell in tiles) for own in "ox"))

    def is_new(self, tiles: Tiles, is_answered: bool) -> bool:
        count, key = len(self.met), (is_answered, frozenset(tiles.items()))
        self.met.add(key)
        return len(self.met) > count

    def reply(self, tiles: Tiles, line: str) -> None:
        """Go through the moves of the other side."""
        self.positions += 1
        for (cell, letter), after in self.moves(tiles):
            self.replies += 1
            ended = self.result(*after)
            if ended and ended not in self.good:
                raise ValueError(f"after{line}, {letter} on {cell} ends the game: {ended}")
            if not ended and self.is_new(after[0], False):
                self.answer(after[0], f"{line} {letter}{cell}")

    def answer(self, tiles: Tiles, line: str) -> None:
        """End the game where the side can, or lay what the certificate says."""
        was_asked, won, legal = self.is_pool_asked, False, dict[Move, Laid]()
        for move, after in self.moves(tiles, self.end):  # mostly what ended the last game will do
            if self.result(*after) not in self.good:
                legal[move] = after
                continue
            won, self.end, self.is_pool_asked = True, move, False
            if self.lay(tiles, *move) and self.result(*after) and not self.is_pool_asked:
                break  # else another one may end it with more tiles, too
        if not won:
            text, cells = next(self.answers, "").strip(), sorted({cell for cell, _ in legal})
            texts = {f"{letter}{cells.index(cell) + 1}": (cell, letter) for cell, letter in legal}
            if text not in texts or self.result(*legal[texts[text]]):
                raise ValueError(f"after{line}, {text!r} is no answer")
            self.is_pool_asked, move = False, texts[text]  # other moves need not be possible
            self.lay(tiles, *move)
        self.is_pool_asked |= was_asked
        if not won and self.is_new(legal[move][0], True):
            self.reply(legal[move][0], f"{line} {text}")


if __name__ == "__main__":
    try:
        with open(sys.argv[1], encoding="ascii") as certificate:
            print(Check(certificate.read().splitlines()).found)
    except (OSError, ValueError, LookupError, RecursionError) as fault:
        print(f"Not proven: {fault}")
        sys.exit(1)
