"""What stands where in the constants and the states of Visavis.

Constants, in words of 64 bits:

    SIZE, PLACES (of one side), PEGS (of one side), ALLOWS_SWAP
    from TABLES on, for each side and each of its places, WIDTH words:
        the two pegs it joins, the two places of the other side that it crosses
        (PLACES where there are fewer), its hash, its place in the drawing of playouts

States, after the header: whether the seats were swapped; then bytes: for O and for X
what stands on each place (OPEN, BLOCKED by the other side, BUILT), in reading order,
then for O and for X the label of each peg's chain, the least number of a peg in it.
The pegs of one end of a side count as joined from the beginning.
"""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from sarsen.games.visavis.board import Coordinate, O, VisavisBoard, X, board_of, joined_pegs
from sarsen.search.contract import HEADER, Array

SIZE, PLACES, PEGS, ALLOWS_SWAP = 0, 1, 2, 3
TABLES, WIDTH = 8, 6
FIRST_PEG, SECOND_PEG, CROSSES, CROSSES_TOO, HASH, DRAWN_AT = range(WIDTH)

SWAPPED = HEADER
BYTES = HEADER + 1
OPEN, BLOCKED, BUILT = 0, 1, 2

HASH_OF_START, HASH_OF_SWAP = 0x5CA1AB1E, 0x2545F4914F6CDD1D

# Playouts hold the bridges of X by kind, row and column, ready to be read as bits,
# and those of O behind them.
DRAWN_ROWS, DRAWN_COLUMNS = 16, 16
DRAWN_O = 3 * DRAWN_ROWS * DRAWN_COLUMNS


@cache
def constants_of(size: int, allows_swap: bool) -> Array:
    """Build the constants of a size."""
    board = board_of(size)
    places = len(board.named[O])
    rows = [_place(board, side, at) for side in (O, X) for at in range(places)]
    head = [size, places, board.pegs[O].bit_count(), int(allows_swap), 0, 0, 0, 0]
    return np.array(head + [word for row in rows for word in row], np.int64)


def state_words(constants: Array) -> int:
    """Return the length of a state."""
    return BYTES + (2 * int(constants[PLACES]) + 2 * int(constants[PEGS]) + 7) // 8


@cache
def coordinates(size: int, side: int) -> tuple[Coordinate, ...]:
    """Return the places of a side in reading order."""
    board = board_of(size)
    return tuple(next(board.coordinates(bit)) for _, bit in board.named[side])


@cache
def peg_numbers(size: int, side: int) -> dict[Coordinate, int]:
    """Number the pegs of a side in reading order."""
    board = board_of(size)
    return {peg: number for number, peg in enumerate(board.coordinates(board.pegs[side]))}


def _place(board: VisavisBoard, side: int, at: int) -> list[int]:
    coordinate = coordinates(board.size, side)[at]
    pegs = peg_numbers(board.size, side)
    first, second = (pegs[peg] for peg in joined_pegs(side, *coordinate))
    crossed = board.crossed(side, board.named[side][at][1])
    others = [number for number, (_, bit) in enumerate(board.named[1 - side]) if bit & crossed]
    others += [len(board.named[1 - side])] * (2 - len(others))
    word = random.Random(f"visavis {side} {coordinate}").getrandbits(63)
    return [first, second, *others, word, _drawn_at(side, at, coordinate)]


def _drawn_at(side: int, at: int, coordinate: Coordinate) -> int:
    if side == O:
        return DRAWN_O + at
    column, row = coordinate
    (left, top), _ = joined_pegs(X, column, row)
    if row % 2:
        kind, peg_row, peg_column = 0, row, left
    elif column % 2:
        kind, peg_row, peg_column = 1, top, left
    else:
        # `/` is filed under its upper peg, which stands to the right.
        kind, peg_row, peg_column = 2, row - 1, column + 1
    return (kind * DRAWN_ROWS + (peg_row - 1) // 2) * DRAWN_COLUMNS + (peg_column - 3) // 2
