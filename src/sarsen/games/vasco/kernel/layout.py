"""Where everything lies in a state and in the constants, and the tables of the tile.

The unbounded grid is rolled up. A cell is `row * stride + column`, seen from the first
tile and never wrapped, so that numeric order is reading order; its place in the array of
bytes is its residue. The residue of the stride is chosen so that no group of the pool's
size, with all the cells round it, meets itself. Strides are odd: even cells point up.

A byte holds what an empty cell sees, or what a tile shows: two bits an edge (left, right,
base) with 1 for o, 2 for x and 3 for the overlap, so that a bit is an end of one seat's
path. FILLED says which; LISTED, that the cell is in the list of cells near tiles.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from sarsen.games.vasco.board import EDGES, LETTER_OF, ROTATIONS
from sarsen.search.contract import HEADER, Array

FILLED, LISTED, LABELS = 64, 128, 63

# Words of a state: tiles on the table, cells in the list, then the grid. The list and the
# notes of `laying` follow; LIST and NOTES of the constants say where. Which cell
# was filled by hand decides nothing that follows, so it is not kept.
TILES, LENGTH, GRID = HEADER, HEADER + 1, HEADER + 4

# Words of the constants, then the steps of `step_table`.
# QUEUE is where in the notes the queue begins.
POOL, STRIDE, MASK, LIST, NOTES, QUEUE, STATE_SIZE, START_KEY, STEPS = range(9)

# A code is (cell + CENTRE) * 8 + rotation; no cell lies so far out.
CENTRE = 1 << 30

_LETTERS = "ox*"
_SIDES = range(3)


def _edge_bits(rotation: str) -> int:
    colours = (_LETTERS.index(LETTER_OF[colour]) + 1 for colour in EDGES[rotation])
    return sum(colour << 2 * side for side, colour in enumerate(colours))


def _ends(labels: int) -> list[int]:
    """List the colours of the labelled edges of a byte."""
    return [labels >> 2 * side & 3 for side in _SIDES if labels >> 2 * side & 3]


def _seen(byte: int) -> int:
    """Return the colours an empty cell sees as three bits; nothing for a tile."""
    return 0 if byte & FILLED else sum({1 << end - 1 for end in _ends(byte)})


def _matching(labels: int) -> int:
    """Return the rotations, as bits, that match all labelled edges."""
    labelled = [(side, labels >> 2 * side & 3) for side in _SIDES]
    return sum(
        1 << index
        for index, bits in enumerate(EDGE_BITS.tolist())
        if all(end in (0, bits >> 2 * side & 3) for side, end in labelled)
    )


def _sparing(side: int, seen: int) -> int:
    """Return the rotations, as bits, whose edge on a side is none of the colours seen there."""
    return sum(
        1 << index
        for index, bits in enumerate(EDGE_BITS.tolist())
        if not seen >> (bits >> 2 * side & 3) - 1 & 1
    )


EDGE_BITS = np.array([_edge_bits(rotation) for rotation in ROTATIONS], np.uint8)
# By byte: the colours seen, and whether an empty cell sees one of them twice (Ruling V1).
SEEN = np.array([_seen(byte) for byte in range(256)], np.uint8)
IS_DEAD = np.array(
    [
        not byte & FILLED and len(_ends(byte & 63)) > len(set(_ends(byte & 63)))
        for byte in range(256)
    ],
    np.uint8,
)
MATCHING = np.array([_matching(labels) for labels in range(64)], np.uint8)
# By side * 8 + the colours seen by the cell beyond it.
SPARING = np.array([_sparing(side, seen) for side in _SIDES for seen in range(8)], np.uint8)
# By set of rotations: the edges of the first one in it.
FIRST_OF = np.array(
    [0] + [int(EDGE_BITS[(fits & -fits).bit_length() - 1]) for fits in range(1, 64)], np.uint8
)
# By labels: the number of the lowest bit.
LOWEST = np.array([(labels & -labels).bit_length() - 1 for labels in range(64)], np.int8)
# By colours: whether they are two or three.
ARE_MANY = np.array([seen & (seen - 1) != 0 for seen in range(8)], np.uint8)


@cache
def constants(size: int) -> Array:
    """Return the constants of a pool of so many tiles."""
    cells, residue = torus(size)
    array = np.zeros(STEPS + 512, np.int64)
    array[POOL], array[MASK] = size, cells - 1
    # Wide enough for numeric order to be reading order.
    array[STRIDE] = stride = residue + cells * -(-4 * size // cells)
    array[LIST] = GRID + cells // 8
    # A tile has twelve cells near it, and each more tile brings three new ones.
    array[NOTES] = array[LIST] + (3 * size + 16) // 2
    array[QUEUE] = size + 2
    array[STATE_SIZE] = array[NOTES] + array[QUEUE] + size + 8
    array[START_KEY] = (size * 0x9E3779B97F4A7C15) & (2**62 - 1)
    array[STEPS:] = step_table(stride)
    return array


def step_table(stride: int) -> list[int]:
    """Return the step across the edge of a colour: by colour << 7 | points down << 6 | edges."""
    steps = [0] * 512
    for colour in range(1, 4):
        for points_down in (0, 1):
            ways = (-1, 1, -stride if points_down else stride)
            for bits in EDGE_BITS.tolist():
                side = next(side for side in _SIDES if bits >> 2 * side & 3 == colour)
                steps[colour << 7 | points_down << 6 | bits] = ways[side]
    return steps


def torus(size: int) -> tuple[int, int]:
    """Find a small torus, a power of two of cells, and the residue of its stride."""
    cells = 64
    while True:
        # A row must not meet itself; few residues beyond the shortest are ever better.
        for residue in range(size + 8 | 1, size + 48, 2):
            if is_roomy(size, cells, residue):
                return cells, residue
        cells *= 2


def is_roomy(size: int, cells: int, residue: int) -> bool:
    """Return whether no two cells in use at once can fall on one place.

    Tiles of one group are fewer than `size` steps apart, in fewer than `size / 2 + 1` rows;
    what is looked at lies a few steps further out.
    """
    for rows in range(size // 2 + 7):
        columns = -rows * residue % cells
        nearest = min(columns, cells - columns) if rows else cells
        if nearest <= size + 8 - rows:
            return False
    return True
