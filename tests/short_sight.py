"""A thinker for tests that solves the end of a game exactly and guesses before.

Within its sight it proves wins and losses by the rules alone; beyond it, it says 0.5 and
plays the first move that does not lose. Slow, and right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.search.thought import Thought


@dataclass
class ShortSight:
    """Look so many plies ahead.

    Attributes:
        thoughts: The positions it was asked about, in the order of asking.
    """

    plies: int = 2
    thoughts: list[str] = field(default_factory=list)

    def __call__(self, position: AnyPosition, seed: int) -> Thought:
        self.thoughts.append(position.write())
        score, line = self._solve(position, self.plies)
        moves = position.legal_moves()
        if score is None:
            chosen = next(move for move in moves if self._reply(position, move) != 0.0)
            return Thought(chosen, 0.5, line=(chosen,))
        return Thought(line[0], score, score, len(line), line)

    def _reply(self, position: AnyPosition, move: Any) -> float | None:
        """Return what a move is worth to its player, as far as it is seen."""
        there = position.play(move)
        score, _ = self._solve(there, self.plies - 1)
        return score if score is None or there.seat == position.seat else 1.0 - score

    def _solve(self, position: AnyPosition, plies: int) -> tuple[float | None, tuple[Any, ...]]:
        """Return the proved score of the seat to move, and a line; None for not seen."""
        outcome = position.outcome()
        if outcome is not None:
            return outcome.scores[position.seat], ()
        if not plies:
            return None, ()
        best: tuple[float, tuple[Any, ...]] = (-1.0, ())
        is_open = False
        for move in position.legal_moves():
            there = position.play(move)
            score, line = self._solve(there, plies - 1)
            if score is None:
                is_open = True
                continue
            own = score if there.seat == position.seat else 1.0 - score
            if own == 1.0:
                return 1.0, (move, *line)
            best = max(best, (own, (move, *line)), key=lambda one: one[0])
        return (None, ()) if is_open else best
