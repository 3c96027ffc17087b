"""Lay a tile and what it forces, and take it back.

A table is the tuple that `unpack_table` gives: the grid, the notes, and three numbers. The notes
begin with the tiles of one move in order, as cell << 8 | the byte of the cell before. From
`table[QUEUE_AT]` on they hold the queue: empty cells that became forced, or dead, and were
not looked at yet.

Which cells a new tile concerns is known from the colours seen: between moves an empty
cell sees one tile at most (with two it would be forced), and of two empty cells side by
side both see the same colour or one sees none (else both would be forced).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from sarsen.games.vasco.kernel.layout import (
    ARE_MANY,
    FILLED,
    FIRST_OF,
    GRID,
    IS_DEAD,
    LABELS,
    LIST,
    LISTED,
    MASK,
    MATCHING,
    NOTES,
    QUEUE,
    SEEN,
    SPARING,
    STRIDE,
)
from sarsen.search.compiling import part

REFUSED = 0
MASK_AT, STRIDE_AT, QUEUE_AT = 2, 3, 4

# A call hands over every word of a table, which costs more than most of what is done here.
inlined = njit(nogil=True, inline="always")


@inlined
def unpack_table(constants, state):  # type: ignore[no-untyped-def]
    """Return the table of a state."""
    grid = state[GRID : constants[LIST]].view(np.uint8)
    notes = state[constants[NOTES] :]
    return grid, notes, constants[MASK], constants[STRIDE], constants[QUEUE]


@inlined
def listed_cells(constants, state):  # type: ignore[no-untyped-def]
    """Return the list of a state: the cells near tiles; some have been filled since."""
    return state[constants[LIST] : constants[NOTES]].view(np.int32)


@inlined
def at(table, cell):  # type: ignore[no-untyped-def]
    """Return the place of a cell in the grid."""
    return np.uint64(cell & table[MASK_AT])


@inlined
def base_step(table, cell):  # type: ignore[no-untyped-def]
    """Return the step across the base: down from a cell that points up."""
    return table[STRIDE_AT] * (1 - 2 * (cell & 1))


@part
def possible(table, cell):  # type: ignore[no-untyped-def]
    """Return the rotations possible at an empty cell, as bits (Ruling V1)."""
    grid = table[0]
    step = base_step(table, cell)
    return (
        MATCHING[grid[at(table, cell)] & LABELS]
        & SPARING[SEEN[grid[at(table, cell - 1)]]]
        & SPARING[8 + SEEN[grid[at(table, cell + 1)]]]
        & SPARING[16 + SEEN[grid[at(table, cell + step)]]]
    )


@part
def lay(table, cell, edges, room, tiles):  # type: ignore[no-untyped-def]
    """Lay a tile and what it forces: how many, or REFUSED, and then nothing has changed.

    Args:
        cell: Empty; its own labels match the edges.
        room: How many tiles the pool still has.
        tiles: How many lie on the table.
    """
    grid, notes, first_queued = table[0], table[1], table[QUEUE_AT]
    is_apart = tiles > 0 and grid[at(table, cell)] & LABELS == 0
    count = queued = 0
    while True:
        new_queued = put(table, cell, edges, count, queued)
        if new_queued < 0:
            break
        count, queued = count + 1, new_queued
        if queued == 0:
            # Ruling V3: a tile apart that forces nothing stays apart, one that forces does not.
            if is_apart and count == 1:
                break
            return count
        # Ruling V4: when the pool runs out the forced cells that remain stay empty.
        if count == room:
            if any_dead(table, queued) or (is_apart and not joins(table, count)):
                break
            return count
        # Ruling V2: each time the first forced cell in reading order.
        first = first_queued
        for index in range(first_queued + 1, first_queued + queued):
            if notes[index] < notes[first]:
                first = index
        cell = notes[first]
        queued -= 1
        notes[first] = notes[first_queued + queued]
        fits = possible(table, cell)
        if fits == 0:
            break
        edges = FIRST_OF[fits]
    take_back(table, count)
    return REFUSED


@inlined
def put(table, cell, edges, count, queued):  # type: ignore[no-untyped-def]
    """Lay one tile as number `count`; return the length of the queue, or -1 for a dead cell."""
    grid = table[0]
    step = base_step(table, cell)
    middle, left = at(table, cell), at(table, cell - 1)
    right, base = at(table, cell + 1), at(table, cell + step)
    # What a tile beside shows already is what this one will show it: both match.
    to_left = grid[left] | (edges & 3) << 2
    to_right = grid[right] | edges >> 2 & 3
    to_base = grid[base] | edges & 48
    if IS_DEAD[to_left] | IS_DEAD[to_right] | IS_DEAD[to_base]:
        return -1
    table[1][count] = cell << 8 | grid[middle]
    grid[middle] = grid[middle] & LISTED | FILLED | edges
    grid[left], grid[right], grid[base] = to_left, to_right, to_base
    queued = _queue_neighbours(table, cell - 1, SEEN[to_left], cell - 2, cell - 1 - step, queued)
    queued = _queue_neighbours(table, cell + 1, SEEN[to_right], cell + 2, cell + 1 - step, queued)
    return _queue_neighbours(
        table, cell + step, SEEN[to_base], cell + step - 1, cell + step + 1, queued
    )


@part
def take_back(table, count):  # type: ignore[no-untyped-def]
    """Take the last `count` tiles laid off the table."""
    grid, laid = table[0], table[1]
    for index in range(count - 1, -1, -1):
        cell, before = laid[index] >> 8, laid[index] & 255
        step = base_step(table, cell)
        left, right, base = at(table, cell - 1), at(table, cell + 1), at(table, cell + step)
        grid[at(table, cell)] = before
        if grid[left] & FILLED == 0:
            grid[left] &= ~np.uint8(12)
        if grid[right] & FILLED == 0:
            grid[right] &= ~np.uint8(3)
        if grid[base] & FILLED == 0:
            grid[base] &= ~np.uint8(48)


@inlined
def _queue_neighbours(table, cell, seen, near, other, queued):  # type: ignore[no-untyped-def]
    """Queue a cell beside a new tile, and its two other neighbours, if now forced or dead."""
    grid = table[0]
    by_near, by_other = SEEN[grid[at(table, near)]], SEEN[grid[at(table, other)]]
    if seen == 0 or not ARE_MANY[seen | by_near | by_other]:
        return queued
    if by_near and ARE_MANY[seen | by_near]:
        queued = _queue_cell(table, near, queued)
    if by_other and ARE_MANY[seen | by_other]:
        queued = _queue_cell(table, other, queued)
    return _queue_cell(table, cell, queued)


@part
def _queue_cell(table, cell, queued):  # type: ignore[no-untyped-def]
    notes, first = table[1], table[QUEUE_AT]
    for index in range(first, first + queued):
        if notes[index] == cell:
            return queued
    notes[first + queued] = cell
    return queued + 1


@part
def any_dead(table, queued):  # type: ignore[no-untyped-def]
    """Return whether a cell in the queue can never be filled: a dead one always is there."""
    notes, first = table[1], table[QUEUE_AT]
    for index in range(first, first + queued):  # noqa: SIM110 (Numba compiles no generators)
        if possible(table, notes[index]) == 0:
            return True
    return False


@part
def joins(table, count):  # type: ignore[no-untyped-def]
    """Return whether the first tile laid hangs together with an older one (Ruling V3)."""
    grid, laid = table[0], table[1]
    length = _queue_cell(table, laid[0] >> 8, 0)
    index = 0
    while index < length:
        cell = laid[table[QUEUE_AT] + index]
        index += 1
        for way in (-1, 1, base_step(table, cell)):
            near = cell + way
            if grid[at(table, near)] & FILLED == 0:
                continue
            if not _is_laid(laid, near, count):
                return True
            length = _queue_cell(table, near, length)
    return False


@part
def _is_laid(laid, cell, count):  # type: ignore[no-untyped-def]
    for index in range(count):  # noqa: SIM110 (Numba compiles no generators)
        if laid[index] >> 8 == cell:
            return True
    return False
