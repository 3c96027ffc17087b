"""Lost positions: play where the opponent goes wrong most easily.

People, and weaker programs, build where it feels right. So each move is weighed by the
share of right answers among all, an answer counting as much as it feels worth to the
opponent; the move that leaves the least is played. Nothing helps against perfect play.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from sarsen.search.chance import seeded
from sarsen.search.contract import Array
from sarsen.search.visavis.allowance import Allowance
from sarsen.search.visavis.cells import Built, Cells
from sarsen.search.visavis.clumps import decide, settle
from sarsen.search.visavis.sense import feel

_STEPS, _PURSE = 20, 20_000  # of each judgement, as on the first rung of verdicts
_CANDIDATES = 40  # most moves weighed, those that feel worth most
_ANSWERS = 24  # most answers judged to each; of more, so many are drawn by their worth

Worth = np.ndarray[tuple[int, int], np.dtype[np.float64]]


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


def worths(cells: Cells, built: Built, mover: int) -> Worth:
    """Return what a bridge of the mover feels worth in each cell and way."""
    worth = np.empty((len(cells.places), 3), np.float64)
    feel(cells.ways, built, cells.vertices, mover, worth)
    return worth


def traps(cells: Cells, built: Built, mover: int, seed: int, allowance: Allowance) -> list[Trap]:
    """Weigh moves of the mover, who has lost; the best trap first.

    Args:
        allowance: When it is spent, no further move is weighed; one always is.
    """
    chance, luck = seeded(seed), random.Random(seed)
    worth = worths(cells, built, mover)
    order = np.argsort(-worth, axis=None)[:_CANDIDATES]
    found = []
    for index in order:
        cell, way = divmod(int(index), 3)
        if worth[cell, way] <= 0.0:
            break
        after = built.copy()
        after[mover, cell] |= 1 << way
        share = _right_share(cells, after, 1 - mover, luck, chance, allowance)
        found.append(Trap(cells.names[mover][cell][way], share, float(worth[cell, way])))
        if allowance.is_spent:
            break
    return sorted(found, key=lambda trap: (round(trap.share, 3), -trap.worth, luck.random()))


def _right_share(
    cells: Cells,
    built: Built,
    opponent: int,
    luck: random.Random,
    chance: Array,
    allowance: Allowance,
) -> float:
    """Return the share of right answers, as they feel to the opponent; drawn when many."""
    allowance.spend()
    if _winner(cells, built, opponent, chance) != opponent:
        return 0.0
    if _holder(cells, built, chance) == opponent:
        return 1.0
    worth = worths(cells, built, opponent)
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
        right += weight * (_winner(cells, after, 1 - opponent, chance) == opponent)
    return float(right / sum(answers.values()))


def _holder(cells: Cells, built: Built, chance: Array) -> int:
    """Return the side that wins whoever moves, if there is one."""
    colours = np.array([cells.colours, cells.colours])
    board = cells.ways, built.copy(), cells.vertices
    return int(settle(*board, colours, _STEPS, np.array([_PURSE]), chance))


def _winner(cells: Cells, built: Built, mover: int, chance: Array) -> int:
    colours = np.array([cells.colours, cells.colours])
    board = cells.ways, built.copy(), cells.vertices
    found = np.empty((1, 2), np.int64)
    return int(decide(*board, mover, colours, _STEPS, np.array([_PURSE]), chance, found))
