"""Clumps: what a side holds together no matter who moves, and the verdicts that follow.

When two colours of strands tie the same vertices together, the side keeps them together
for good: whatever the other side cuts in one colour, the other colour mends (the lemma
of `docs/visavis-proof.md`). So a clump may count as built, which takes bridges from the
other side, in whose web new clumps may show. When neither web has a clump left, the
side to move looks for the move that makes its two ends one clump.

Arrays here: `ways` as in `Cells`; `built` by side and cell; `colours` by side and cell,
where a search begins and what it found; `purse[STEPS]`, steps left to all.
"""

from __future__ import annotations

import numpy as np

from sarsen.games.visavis.proof.weaving import SPENDING, STEPS, find_clump, join, root
from sarsen.search.compiling import compiled

UNDECIDED = -1
BOARD = "int64[:,:,:,::1], int64[:,::1], int64"  # ways, built, how many vertices


@compiled("int64(int64[:,:,:,::1], int64[:,::1], int64, int64)")
def open_ways(ways, built, side, cell):  # type: ignore[no-untyped-def]
    """Return the ways, as bits, in which a side can still build in a cell."""
    others = built[1 - side, cell]
    open_bits = 0
    for way in range(3):
        # A bridge crosses those of the other side that run another way.
        is_open = ways[side, cell, way, 0] >= 0 and not built[side, cell] >> way & 1
        if is_open and not others & ~(1 << way):
            open_bits |= 1 << way
    return open_bits


@compiled(f"void({BOARD}, int64, int64[::1])")
def group_built(ways, built, vertices, side, group):  # type: ignore[no-untyped-def]
    """Name for each vertex the one that stands for all that bridges join to it."""
    for vertex in range(vertices):
        group[vertex] = vertex
    for cell in range(built.shape[1]):
        for way in range(3):
            if built[side, cell] >> way & 1:
                join(group, ways[side, cell, way, 0], ways[side, cell, way, 1])
    for vertex in range(vertices):
        group[vertex] = root(group, vertex)


@compiled("int64(int64[:,:,:,::1], int64[:,::1], int64, int64[::1], int64[:,::1], int64[::1])")
def make_strands(ways, built, side, group, ends, cells):  # type: ignore[no-untyped-def]
    """Make the strands of a side: the groups that each open cell can still tie together."""
    strands = 0
    for cell in range(built.shape[1]):
        open_bits = open_ways(ways, built, side, cell)
        count = 0
        for way in range(3):
            if open_bits >> way & 1:
                for end in range(2):
                    vertex = group[ways[side, cell, way, end]]
                    is_new = True
                    for other in range(count):
                        is_new &= ends[strands, other] != vertex
                    if is_new:
                        ends[strands, count] = vertex
                        count += 1
        if count > 1:
            if count == 2:
                ends[strands, 2] = -1
            cells[strands] = cell
            strands += 1
    return strands


@compiled("void(int64, int64, int64[:,::1], int64[::1], int64[::1])", counts_references=True)
def _index(vertices, strands, ends, first, at):  # type: ignore[no-untyped-def]
    """List the strands at each vertex: `at[first[v]:first[v + 1]]`."""
    first[:] = 0
    for strand in range(strands):
        for end in range(3):
            if ends[strand, end] >= 0:
                first[ends[strand, end] + 1] += 1
    for vertex in range(vertices):
        first[vertex + 1] += first[vertex]
    free = first.copy()
    for strand in range(strands):
        for end in range(3):
            vertex = ends[strand, end]
            if vertex >= 0:
                at[free[vertex]] = strand
                free[vertex] += 1


@compiled("int64(int64[:,:,:,::1], int64[:,::1], int64, int64[::1], int64[::1])")
def _build_inside(ways, built, side, group, clump):  # type: ignore[no-untyped-def]
    """Count every bridge inside a clump as built; return how many."""
    count = 0
    for cell in range(built.shape[1]):
        open_bits = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_bits >> way & 1:
                start, end = group[ways[side, cell, way, 0]], group[ways[side, cell, way, 1]]
                if clump[start] == clump[end]:
                    built[side, cell] |= 1 << way
                    count += 1
    return count


@compiled(f"int64({BOARD}, int64, int64[::1], int64, {SPENDING})", counts_references=True)
def settle_side(ways, built, vertices, side, colours, steps, purse, chance):  # type: ignore[no-untyped-def]
    """Build a side's clumps until no more are found; return how many bridges, -1 once it won."""
    cells = built.shape[1]
    group, clump = np.empty(vertices, np.int64), np.empty(vertices, np.int64)
    ends, cell_of = np.empty((cells, 3), np.int64), np.empty(cells, np.int64)
    first, at = np.empty(vertices + 1, np.int64), np.empty(3 * cells, np.int64)
    colour = np.empty(cells, np.int64)
    count = 0
    while True:
        group_built(ways, built, vertices, side, group)
        if group[0] == group[1]:
            return -1
        strands = make_strands(ways, built, side, group, ends, cell_of)
        _index(vertices, strands, ends, first, at)
        for strand in range(strands):
            colour[strand] = colours[cell_of[strand]]
        has_clump = find_clump(
            vertices, strands, ends, first, at, colour, group, clump, steps, purse, chance
        )
        for strand in range(strands):
            colours[cell_of[strand]] = colour[strand]
        if not has_clump:
            return count
        count += _build_inside(ways, built, side, group, clump)


@compiled(f"int64({BOARD}, int64[:,::1], int64, {SPENDING})", counts_references=True)
def settle(ways, built, vertices, colours, steps, purse, chance):  # type: ignore[no-untyped-def]
    """Build the clumps of both sides by turns; return the side that holds its ends, if any."""
    quiet, side = 0, 0
    while quiet < 2:
        count = settle_side(ways, built, vertices, side, colours[side], steps, purse, chance)
        if count < 0:
            return side
        quiet = quiet + 1 if count == 0 else 1
        side ^= 1
    return UNDECIDED


@compiled(
    f"int64({BOARD}, int64, int64[:,::1], int64, {SPENDING}, int64[:,::1])", counts_references=True
)
def winning_moves(ways, built, vertices, side, colours, steps, purse, chance, bridges):  # type: ignore[no-untyped-def]
    """Fill `bridges` (cell, way) with moves that make the side's ends one clump; count them.

    Stops once `bridges` is full. `built` is best settled, and is left as it is.
    """
    count = 0
    cells = built.shape[1]
    trial, guess = built.copy(), colours[side].copy()
    begin = np.int64(chance[0] & 0xFFFF) % cells
    for turn in range(cells):
        cell = (begin + turn) % cells
        open_bits = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_bits >> way & 1 and count < bridges.shape[0] and purse[STEPS] > 0:
                trial[:] = built
                trial[side, cell] |= 1 << way
                guess[:] = colours[side]
                if settle_side(ways, trial, vertices, side, guess, steps, purse, chance) < 0:
                    bridges[count, 0], bridges[count, 1] = cell, way
                    count += 1
    return count


@compiled(
    f"int64({BOARD}, int64, int64[:,::1], int64, {SPENDING}, int64[:,::1])", counts_references=True
)
def decide(ways, built, vertices, mover, colours, steps, purse, chance, bridges):  # type: ignore[no-untyped-def]
    """Return the side that wins with `mover` to move, or UNDECIDED.

    Settles `built` in place. `bridges` is filled only when the mover wins and its ends are
    not one clump already: with winning moves.
    """
    holder = settle(ways, built, vertices, colours, steps, purse, chance)
    bridges[:] = -1
    if holder != UNDECIDED:
        return holder
    if winning_moves(ways, built, vertices, mover, colours, steps, purse, chance, bridges):
        return mover
    return UNDECIDED
