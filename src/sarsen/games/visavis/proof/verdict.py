"""The winner of a position, with a move that proves it.

A verdict with a winner is proved: every step of `clumps` is a lemma of
`docs/visavis-proof.md`. Luck and time only decide whether one is found. Weavings are
tried short first; what none of them decides is looked at one move deeper.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from sarsen.games.visavis.proof.cells import Built, Cells, cells_of
from sarsen.games.visavis.proof.clumps import UNDECIDED, decide, open_ways
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.search.chance import seeded
from sarsen.search.contract import Array
from sarsen.search.thought import Budget, Stop

# Steps of a weaving and steps of one judgement in all; a step takes 3 to 10 microseconds.
RUNGS = ((20, 20_000), (150, 60_000), (1_000, 100_000), (10_000, 200_000))
_SHORT = RUNGS[1]
SECONDS = 2.0  # for a verdict when nobody says how much may be judged


@dataclass(frozen=True)
class ProofVerdict:
    """The winner.

    Attributes:
        winner: O or X, or None when nothing was proved in time.
        moves: For a winning side to move: moves that win, as many as were asked for;
            empty when it holds its ends together already, so that any move does.
        is_deep: It took a look one move ahead.
    """

    winner: int | None
    moves: tuple[str, ...] = ()
    is_deep: bool = False


def judge(
    position: VisavisPosition,
    *,
    most: int = 1,
    seed: int = 0,
    allowance: JudgingBudget | None = None,
) -> ProofVerdict:
    """Decide a position as the sides stand, without a swap.

    Args:
        most: How many winning moves to look for.
        seed: Where chance begins; another seed may find other moves.
        allowance: When it is spent, nothing new is begun; one judgement is always made.
            None: two seconds.
    """
    if position.winner is not None:
        return ProofVerdict(position.winner)
    cells = cells_of(position.board.size)
    return judge_cells(cells, cells.built(position), position.side, most, seed, allowance)


def judge_cells(
    cells: Cells,
    built: Built,
    mover: int,
    most: int = 1,
    seed: int = 0,
    allowance: JudgingBudget | None = None,
) -> ProofVerdict:
    """Decide what stands in the cells, which is left as it is."""
    allowance = allowance or JudgingBudget(Budget(seconds=SECONDS))
    chance = seeded(seed)
    for rung in RUNGS:
        allowance.spend()
        verdict = _try(cells, built, mover, rung, most, chance)
        if verdict.winner is not None or allowance.is_spent:
            return verdict
    return _look_ahead(cells, built, mover, chance, allowance)


def _try(
    cells: Cells, built: Built, mover: int, rung: tuple[int, int], most: int, chance: Array
) -> ProofVerdict:
    steps, purse = rung
    bridges = np.empty((most, 2), np.int64)
    # Each judgement begins with the checkerboard, which is a certificate near the opening.
    colours = np.array([cells.colours, cells.colours])
    winner = decide(
        cells.ways, built.copy(), cells.vertices, mover, colours, steps,
        np.array([purse]), chance, bridges,
    )  # fmt: skip
    names = tuple(cells.names[mover][cell][way] for cell, way in bridges if cell >= 0)
    return ProofVerdict(None if winner == UNDECIDED else int(winner), names)


def _look_ahead(
    cells: Cells, built: Built, mover: int, chance: Array, allowance: JudgingBudget
) -> ProofVerdict:
    """Play each move and judge what follows: one that wins, or all that lose, decide."""
    are_all_lost = True
    for name, after in moves_in_cells(cells, built, mover):
        allowance.spend()
        answer = _try(cells, after, 1 - mover, _SHORT, 1, chance)
        if answer.winner == mover:
            return ProofVerdict(mover, (name,), is_deep=True)
        are_all_lost &= answer.winner is not None
        if allowance.is_spent:
            return ProofVerdict(None)
    return ProofVerdict(1 - mover if are_all_lost else None, is_deep=True)


def moves_in_cells(cells: Cells, built: Built, mover: int) -> Iterator[tuple[str, Built]]:
    """Yield each move that may join something, and what stands after it."""
    for cell in range(len(cells.places)):
        ways = open_ways(cells.ways, built, mover, cell)
        for way in range(3):
            if ways >> way & 1:
                after = built.copy()
                after[mover, cell] |= 1 << way
                yield cells.names[mover][cell][way], after


class JudgingBudget:
    """Count the positions judged against a budget; shares of it count towards the whole.

    By positions alone no clock is read, so that chance with the same seed meets the same
    end on every machine.
    """

    def __init__(
        self, budget: Budget, stop: Stop | None = None, whole: JudgingBudget | None = None
    ) -> None:
        self.judged = 0
        self._nodes = budget.nodes
        self._deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self._stop = stop
        self._whole = whole

    @property
    def is_spent(self) -> bool:
        """Whether nothing new is to be begun."""
        return (
            (self._nodes is not None and self.judged >= self._nodes)
            or (self._deadline is not None and time.monotonic() > self._deadline)
            or (self._stop is not None and self._stop.is_set())
            or (self._whole is not None and self._whole.is_spent)
        )

    def spend(self) -> None:
        """Count one position that is judged."""
        self.judged += 1
        if self._whole is not None:
            self._whole.spend()

    def share(self, part: float) -> JudgingBudget:
        """Return an allowance of a part of what is left; of positions, one at least."""
        budget = Budget()
        if self._nodes is not None:
            budget = replace(budget, nodes=max(int((self._nodes - self.judged) * part), 1))
        if self._deadline is not None:
            left = max(self._deadline - time.monotonic(), 0.0)
            budget = replace(budget, seconds=left * part)
        return JudgingBudget(budget, self._stop, self)
