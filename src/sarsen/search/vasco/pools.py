"""Who wins Vasco with a small pool, by a search of every line to its end.

The first tile has one cell and six rotations, and turning or mirroring that cell turns
each rotation into each other one. So one first move is searched for all six.
"""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.game import AnyPosition
from sarsen.games.vasco.rules import GAME
from sarsen.search import thinking
from sarsen.search.kernels import vasco
from sarsen.search.thinking import Tuning
from sarsen.search.thought import Budget, Stop

_FIRST = "a1"
_TO_THE_END = Tuning(late=1 << 30, very_late=1 << 30)


@dataclass(frozen=True)
class Solved:
    """Say what a pool is worth.

    Attributes:
        score: What O, who moves first, scores with best play of both, or None when the
            search was ended before it knew.
        line: Best play of both, as move texts; how far the search knows it.
        reason: How the game of the line ends; empty when the line stops before.
    """

    size: int
    score: float | None
    line: tuple[str, ...]
    reason: str
    nodes: int
    seconds: float

    @property
    def winner(self) -> str:
        """Give O, X, draw, or a question mark."""
        return {1.0: "O", 0.0: "X", 0.5: "draw", None: "?"}[self.score]

    @property
    def row(self) -> str:
        """Give a line of the table in `docs/vasco-small-pools.md`."""
        cells = (self.size, self.winner, self.nodes, f"{self.seconds:.1f}", " ".join(self.line))
        return "| " + " | ".join(map(str, (*cells, self.reason))) + " |"


def solve(size: int, budget: Budget | None = None, stop: Stop | None = None) -> Solved:
    """Find the value of a pool; without a budget, however long it takes.

    Raises:
        UserError: There is no pool of that size.
    """
    start = GAME.start({"size": size})
    position: AnyPosition = start.play(start.parse(_FIRST))
    thought = thinking.alphabeta(vasco, position, budget or Budget(), stop=stop, tuning=_TO_THE_END)
    texts = [_FIRST]
    if thought.proved is not None:
        for move in thought.line:
            texts.append(position.format(move))
            position = position.play(move)
    outcome = position.outcome()
    score = None if thought.proved is None else 1.0 - thought.proved
    reason = "" if outcome is None else outcome.reason
    return Solved(size, score, tuple(texts), reason, thought.nodes, thought.seconds)
