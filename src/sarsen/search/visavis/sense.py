"""A feeling for positions: where the current runs, and what is one bridge away.

Let a current run through a side's web from one end to the other. A bridge is worth much
where much runs: a player's own current through the bridge, and the opponent's through
those that it crosses. An old idea of Shannon's for games of joining, and a good one;
weak levels play by it, and rivals in tests.
"""

from __future__ import annotations

import numpy as np

from sarsen.search.chance import draw
from sarsen.search.compiling import compiled
from sarsen.search.visavis.clumps import BOARD, group_built, open_ways

_SWEEPS = 60  # of the relaxation; more changes nothing that can be felt
_PUSH = 1.6  # over-relaxation
FAR = 1 << 40


@compiled(f"float64({BOARD}, int64, float64[::1], int64[::1])")
def _relax(ways, built, vertices, side, level, group):  # type: ignore[no-untyped-def]
    """Let a current run through a side's web; fill its levels, and give its strength."""
    group_built(ways, built, vertices, side, group)
    level[:vertices] = 0.5
    flow, weight = level[vertices : 2 * vertices], level[2 * vertices : 3 * vertices]
    for _ in range(_SWEEPS):
        flow[:] = 0.0
        weight[:] = 0.0
        level[group[0]], level[group[1]] = 0.0, 1.0
        for cell in range(built.shape[1]):
            found = open_ways(ways, built, side, cell)
            for way in range(3):
                if found >> way & 1:
                    one, other = group[ways[side, cell, way, 0]], group[ways[side, cell, way, 1]]
                    flow[one] += level[other]
                    flow[other] += level[one]
                    weight[one] += 1.0
                    weight[other] += 1.0
        for vertex in range(vertices):
            if weight[vertex] > 0.0:
                level[vertex] += _PUSH / 2 * (flow[vertex] / weight[vertex] - level[vertex])
    level[group[0]], level[group[1]] = 0.0, 1.0
    return weight[group[0]] * (flow[group[0]] / max(weight[group[0]], 1.0)) + 1e-9


@compiled(f"float64({BOARD}, int64, float64[:,::1])", _nrt=True)
def feel(ways, built, vertices, mover, worth):  # type: ignore[no-untyped-def]
    """Fill for each cell and way what a bridge of the mover is worth there, 0 or more.

    Gives the mover's share of the current in both webs, about its chances.
    """
    worth[:] = 0.0
    group = np.empty(vertices, np.int64)
    level = np.empty(3 * vertices, np.float64)
    strengths = np.empty(2, np.float64)
    for side in range(2):
        strength = _relax(ways, built, vertices, side, level, group)
        strengths[side] = strength
        for cell in range(built.shape[1]):
            found = open_ways(ways, built, side, cell)
            for way in range(3):
                if not found >> way & 1:
                    continue
                drop = level[group[ways[side, cell, way, 0]]]
                drop -= level[group[ways[side, cell, way, 1]]]
                share = drop * drop / strength
                for other in range(3):
                    # A bridge counts for its own way, or against the two ways it crosses.
                    if (other == way) == (side == mover):
                        worth[cell, other] += share
    for cell in range(built.shape[1]):
        found = open_ways(ways, built, mover, cell)
        for way in range(3):
            worth[cell, way] = worth[cell, way] + 1e-9 if found >> way & 1 else 0.0
    return strengths[mover] / (strengths[0] + strengths[1])


@compiled(f"boolean({BOARD}, int64, int64[::1])", _nrt=True)
def winning_way(ways, built, vertices, side, found):  # type: ignore[no-untyped-def]
    """Find a bridge that joins a side's two ends at once."""
    group = np.empty(vertices, np.int64)
    group_built(ways, built, vertices, side, group)
    for cell in range(built.shape[1]):
        open_here = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_here >> way & 1:
                one, other = group[ways[side, cell, way, 0]], group[ways[side, cell, way, 1]]
                if one != other and min(one, other) == group[0] and max(one, other) == group[1]:
                    found[0], found[1] = cell, way
                    return True
    return False


@compiled(f"int64({BOARD}, int64, int64, int64[::1], int64[:,::1])", _nrt=True)
def shortest(ways, built, vertices, side, whim, chance, way_through):  # type: ignore[no-untyped-def]
    """Find a shortest way through: fill its open bridges (cell, way), and count them.

    Args:
        whim: A bridge counts 1000, and up to so much more by chance.

    Gives -1 when there is none.
    """
    group, behind = np.empty(vertices, np.int64), np.empty(vertices, np.int64)
    reach = np.full(vertices, FAR, np.int64)
    by = np.empty((vertices, 2), np.int64)
    group_built(ways, built, vertices, side, group)
    cost = np.empty((built.shape[1], 3), np.int64)
    for cell in range(built.shape[1]):
        for way in range(3):
            cost[cell, way] = 1000 + draw(chance, whim + 1)
    reach[group[0]] = 0
    grows = True
    while grows:
        grows = False
        for cell in range(built.shape[1]):
            found = open_ways(ways, built, side, cell)
            for turn in range(6):
                way = turn >> 1
                if not found >> way & 1:
                    continue
                here = group[ways[side, cell, way, turn & 1]]
                there = group[ways[side, cell, way, 1 - (turn & 1)]]
                if reach[here] + cost[cell, way] < reach[there]:
                    reach[there] = reach[here] + cost[cell, way]
                    behind[there], by[there, 0], by[there, 1] = here, cell, way
                    grows = True
    if reach[group[1]] >= FAR:
        return -1
    count, vertex = 0, group[1]
    while vertex != group[0]:
        way_through[count] = by[vertex]
        vertex = behind[vertex]
        count += 1
    return count
