"""A feeling for positions: where the current runs, and what is one bridge away.

Let a current run through a side's web from one end to the other. A bridge is worth much
where much runs: a player's own current through the bridge, and the opponent's through
those that it crosses. An old idea of Shannon's for games of joining, and a good one;
weak levels play by it, and rivals in tests.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from sarsen.games.visavis.proof.cells import Built, Cells
from sarsen.games.visavis.proof.clumps import BOARD, decide, group_built, open_ways, settle
from sarsen.games.visavis.proof.verdict import JudgingBudget
from sarsen.search.chance import draw, seeded
from sarsen.search.compiling import compiled
from sarsen.search.contract import Array

_SWEEPS = 60  # of the relaxation; more changes nothing that can be felt
_PUSH = 1.6  # over-relaxation
FAR = 1 << 40
_STEPS, _PURSE = 20, 20_000  # of each judgement, as on the first rung of verdicts
_CANDIDATES = 40  # most moves weighed, those that feel worth most
_ANSWERS = 24  # most answers judged to each; of more, so many are drawn by their worth

Worth = np.ndarray[tuple[int, int], np.dtype[np.float64]]


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
            open_bits = open_ways(ways, built, side, cell)
            for way in range(3):
                if open_bits >> way & 1:
                    start, end = group[ways[side, cell, way, 0]], group[ways[side, cell, way, 1]]
                    flow[start] += level[end]
                    flow[end] += level[start]
                    weight[start] += 1.0
                    weight[end] += 1.0
        for vertex in range(vertices):
            if weight[vertex] > 0.0:
                level[vertex] += _PUSH / 2 * (flow[vertex] / weight[vertex] - level[vertex])
    level[group[0]], level[group[1]] = 0.0, 1.0
    return weight[group[0]] * (flow[group[0]] / max(weight[group[0]], 1.0)) + 1e-9


@compiled(f"float64({BOARD}, int64, float64[:,::1])", counts_references=True)
def weigh_bridges(ways, built, vertices, mover, worth):  # type: ignore[no-untyped-def]
    """Fill for each cell and way what a bridge of the mover is worth there, 0 or more.

    Returns the mover's share of the current in both webs, about its chances.
    """
    worth[:] = 0.0
    group = np.empty(vertices, np.int64)
    level = np.empty(3 * vertices, np.float64)
    strengths = np.empty(2, np.float64)
    for side in range(2):
        strength = _relax(ways, built, vertices, side, level, group)
        strengths[side] = strength
        for cell in range(built.shape[1]):
            open_bits = open_ways(ways, built, side, cell)
            for way in range(3):
                if not open_bits >> way & 1:
                    continue
                drop = level[group[ways[side, cell, way, 0]]]
                drop -= level[group[ways[side, cell, way, 1]]]
                share = drop * drop / strength
                for other in range(3):
                    # A bridge counts for its own way, or against the two ways it crosses.
                    if (other == way) == (side == mover):
                        worth[cell, other] += share
    for cell in range(built.shape[1]):
        open_bits = open_ways(ways, built, mover, cell)
        for way in range(3):
            worth[cell, way] = worth[cell, way] + 1e-9 if open_bits >> way & 1 else 0.0
    return strengths[mover] / (strengths[0] + strengths[1])


@compiled(f"boolean({BOARD}, int64, int64[::1])", counts_references=True)
def winning_way(ways, built, vertices, side, bridge):  # type: ignore[no-untyped-def]
    """Find a bridge that joins a side's two ends at once."""
    group = np.empty(vertices, np.int64)
    group_built(ways, built, vertices, side, group)
    for cell in range(built.shape[1]):
        open_bits = open_ways(ways, built, side, cell)
        for way in range(3):
            if open_bits >> way & 1:
                start, end = group[ways[side, cell, way, 0]], group[ways[side, cell, way, 1]]
                if start != end and min(start, end) == group[0] and max(start, end) == group[1]:
                    bridge[0], bridge[1] = cell, way
                    return True
    return False


@compiled(f"int64({BOARD}, int64, int64, int64[::1], int64[:,::1])", counts_references=True)
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
            open_bits = open_ways(ways, built, side, cell)
            for turn in range(6):
                way = turn >> 1
                if not open_bits >> way & 1:
                    continue
                source = group[ways[side, cell, way, turn & 1]]
                target = group[ways[side, cell, way, 1 - (turn & 1)]]
                if reach[source] + cost[cell, way] < reach[target]:
                    reach[target] = reach[source] + cost[cell, way]
                    behind[target], by[target, 0], by[target, 1] = source, cell, way
                    grows = True
    if reach[group[1]] >= FAR:
        return -1
    count, vertex = 0, group[1]
    while vertex != group[0]:
        way_through[count] = by[vertex]
        vertex = behind[vertex]
        count += 1
    return count


@dataclass(frozen=True)
class Trap:
    """A move in a lost position.

    Attributes:
        share: How much of what the opponent may answer is right, in [0, 1].
        worth: What the move feels worth.
    """

    move: str
    share: float
    worth: float


def bridge_worths(cells: Cells, built: Built, mover: int) -> Worth:
    """Return what a bridge of the mover feels worth in each cell and way."""
    worth = np.empty((len(cells.places), 3), np.float64)
    weigh_bridges(cells.ways, built, cells.vertices, mover, worth)
    return worth


def traps(
    cells: Cells, built: Built, mover: int, seed: int, allowance: JudgingBudget
) -> list[Trap]:
    """Weigh moves of the mover, who has lost; the best trap first.

    Args:
        allowance: When it is spent, no further move is weighed; one always is.
    """
    chance, luck = seeded(seed), random.Random(seed)
    worth = bridge_worths(cells, built, mover)
    order = np.argsort(-worth, axis=None)[:_CANDIDATES]
    weighed = []
    for index in order:
        cell, way = divmod(int(index), 3)
        if worth[cell, way] <= 0.0:
            break
        after = built.copy()
        after[mover, cell] |= 1 << way
        share = _right_share(cells, after, 1 - mover, luck, chance, allowance)
        weighed.append(Trap(cells.names[mover][cell][way], share, float(worth[cell, way])))
        if allowance.is_spent:
            break
    return sorted(weighed, key=lambda trap: (round(trap.share, 3), -trap.worth, luck.random()))


def _right_share(
    cells: Cells,
    built: Built,
    opponent: int,
    luck: random.Random,
    chance: Array,
    allowance: JudgingBudget,
) -> float:
    """Return the share of right answers, as they feel to the opponent; drawn when many."""
    allowance.spend()
    if _winner(cells, built, opponent, chance) != opponent:
        return 0.0
    if _holder(cells, built, chance) == opponent:
        return 1.0
    worth = bridge_worths(cells, built, opponent)
    indices = np.flatnonzero(worth)
    weights = worth.ravel()[indices].tolist()
    answers = dict(zip(indices.tolist(), weights, strict=True))
    if len(answers) > _ANSWERS:
        drawn = luck.choices(list(answers), weights, k=_ANSWERS)
        answers = {answer: float(drawn.count(answer)) for answer in drawn}
    right = 0.0
    for answer, weight in answers.items():
        cell, way = divmod(answer, 3)
        after = built.copy()
        after[opponent, cell] |= 1 << way
        allowance.spend()
        # The mover's own winning moves would take most of the time, and tell nothing more.
        right += weight * (_holder(cells, after, chance) == opponent)
    return float(right / sum(answers.values()))


def _holder(cells: Cells, built: Built, chance: Array) -> int:
    """Return the side that wins no matter who moves, if there is one."""
    colours = np.array([cells.colours, cells.colours])
    board = cells.ways, built.copy(), cells.vertices
    return int(settle(*board, colours, _STEPS, np.array([_PURSE]), chance))


def _winner(cells: Cells, built: Built, mover: int, chance: Array) -> int:
    colours = np.array([cells.colours, cells.colours])
    board = cells.ways, built.copy(), cells.vertices
    bridges = np.empty((1, 2), np.int64)
    return int(decide(*board, mover, colours, _STEPS, np.array([_PURSE]), chance, bridges))
