"""Loops and paths: who has won (Rulings V5 and V6)."""

from __future__ import annotations

import numpy as np

from sarsen.games.vasco.kernel.laying import at, base_step, listed_cells
from sarsen.games.vasco.kernel.layout import FILLED, LABELS, LENGTH, LOWEST, SEEN, STEPS
from sarsen.search.compiling import part
from sarsen.search.contract import DRAWN, ONGOING, WON_BY_FIRST, WON_BY_SECOND

OVERLAP = 3  # the colour both arcs of a tile end in
_OVERLAP_SEEN = 4


@part
def judge_by_loops(constants, table, count):  # type: ignore[no-untyped-def]
    """Judge the loops that the last `count` tiles laid closed; ONGOING when they closed none.

    A loop is closed by a tile that saw both ends of its arc; the first one, laid by hand,
    saw one tile at most.
    """
    laid = table[1]
    o_loop = x_loop = 0
    for index in range(1, count):
        seen = SEEN[laid[index] & LABELS]
        if seen & _OVERLAP_SEEN and seen != _OVERLAP_SEEN:
            if seen & 1:
                o_loop = max(o_loop, loop_through(constants, table, laid[index] >> 8, 1))
            if seen & 2:
                x_loop = max(x_loop, loop_through(constants, table, laid[index] >> 8, 2))
    if o_loop == 0 and x_loop == 0:
        return ONGOING
    if x_loop == 0:
        return WON_BY_FIRST
    return WON_BY_SECOND if o_loop == 0 else longest_loses(o_loop, x_loop)


@part
def loop_through(constants, table, start, colour):  # type: ignore[no-untyped-def]
    """Return the length of the closed path of a colour through a tile, 0 for an open one."""
    grid = table[0]
    cell, leaving, length = start, OVERLAP, 0
    while True:
        byte = grid[at(table, cell)]
        cell += constants[STEPS + (leaving << 7 | (cell & 1) << 6 | byte & LABELS)]
        length += 1
        leaving ^= colour ^ OVERLAP
        if grid[at(table, cell)] & FILLED == 0:
            return 0
        if cell == start:
            return length


@part
def judge_by_paths(constants, state, table):  # type: ignore[no-untyped-def]
    """Judge by the longest paths (Ruling V6). The labels of empty cells are spent.

    Every open path ends on two empty cells that were listed. A label is an end of o, of
    x, or of both, a bit each: the bits are struck out from both ends of a path at once.
    """
    grid, near = table[0], listed_cells(constants, state)
    o_path = x_path = 0
    for index in range(state[LENGTH]):
        cell = np.int64(near[index])
        place = at(table, cell)
        if grid[place] & FILLED:
            continue
        while grid[place] & LABELS:
            end = LOWEST[grid[place] & LABELS]
            grid[place] ^= 1 << end
            tiles = _spend_path(constants, table, cell, end >> 1, 1 + (end & 1))
            if end & 1:
                x_path = max(x_path, tiles)
            else:
                o_path = max(o_path, tiles)
    return longest_loses(o_path, x_path)


@part
def _spend_path(constants, table, cell, side, colour):  # type: ignore[no-untyped-def]
    """Return the length of the path that ends at one side of an empty cell; clear its other end."""
    grid = table[0]
    step = base_step(table, cell) if side == 2 else 2 * side - 1
    entry_shift = 2 if side == 0 else 0 if side == 1 else 4
    previous = cell
    cell += step
    byte = grid[at(table, cell)]
    leaving = byte >> entry_shift & 3
    length = 0
    while byte & FILLED:
        leaving ^= colour ^ OVERLAP
        previous = cell
        cell += constants[STEPS + (leaving << 7 | (cell & 1) << 6 | byte & LABELS)]
        byte = grid[at(table, cell)]
        length += 1
    shift = 0 if cell - previous == 1 else 2 if previous - cell == 1 else 4
    grid[at(table, cell)] &= ~(colour << shift)
    return length


@part
def longest_loses(o_length, x_length):  # type: ignore[no-untyped-def]
    if o_length == x_length:
        return DRAWN
    return WON_BY_SECOND if o_length > x_length else WON_BY_FIRST
