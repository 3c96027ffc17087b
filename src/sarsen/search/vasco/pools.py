"""Who wins Vasco with a small pool, by a search of every line to its end.

From `SMALLEST` tiles on nothing is searched: there X's answers are stored, and proved.

The first tile has one cell and six rotations, and turning or mirroring that cell turns
each rotation into each other one. All six are searched all the same: Ruling V4 fills forced
cells in reading order until the pool is empty, and what is read first does not turn with the
table. With 18 tiles O draws after two of them and loses after four.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sarsen.core.game import AnyPosition
from sarsen.games.vasco.rules import GAME
from sarsen.search import thinking
from sarsen.search.kernels import vasco
from sarsen.search.thinking import Tuning
from sarsen.search.thought import Budget, Stop
from sarsen.search.vasco.forced_loop import SMALLEST, lines
from sarsen.search.vasco.walking import longest_line

_TO_THE_END = Tuning(late=1 << 30, very_late=1 << 30)


@dataclass(frozen=True)
class Solved:
    """Say what a pool is worth.

    Attributes:
        score: What O, who moves first, scores with best play of both, or None when the
            search was ended before it knew.
        line: Best play of both, as move texts; how far the search knows it.
        reason: How the game of the line ends; empty when the line stops before.
        answers: Where nothing had to be searched, the stored lines that prove it.
    """

    size: int
    score: float | None
    line: tuple[str, ...]
    reason: str
    nodes: int
    seconds: float
    answers: tuple[tuple[str, ...], ...] = ()

    @property
    def winner(self) -> str:
        """Return O, X, draw, or a question mark."""
        return {1.0: "O", 0.0: "X", 0.5: "draw", None: "?"}[self.score]

    @property
    def row(self) -> str:
        """Return a line of the table in `docs/vasco-small-pools.md`."""
        cells = (self.size, self.winner, self.nodes, f"{self.seconds:.1f}", " ".join(self.line))
        return "| " + " | ".join(map(str, (*cells, self.reason))) + " |"


def solve(size: int, budget: Budget | None = None, stop: Stop | None = None) -> Solved:
    """Find the value of a pool; without a budget, however long it takes.

    Large pools are answered at once, by the lines of `forced_loop`.

    Raises:
        UserError: There is no pool of that size.
    """
    start = GAME.start({"size": size})
    if size >= SMALLEST:
        return _by_heart(start)
    found: list[Solved] = []
    for text in _first_tiles(start):
        found.append(_after(start, text, _left(budget, found), stop))
        if found[-1].score in (None, 1.0):
            break
    best = max(found, key=_for_o) if found[-1].score is not None else found[-1]
    return replace(best, nodes=_nodes(found), seconds=_seconds(found))


def _by_heart(start: AnyPosition) -> Solved:
    position = start
    line = longest_line(size_of(start))
    for text in line:
        position = position.play(position.parse(text))
    outcome = position.outcome()
    assert outcome is not None
    return Solved(size_of(start), outcome.scores[0], line, outcome.reason, 0, 0.0, lines())


def size_of(start: AnyPosition) -> int:
    """Return how many tiles there are in the pool of a first position."""
    return int(str(start.options["size"]))


def _first_tiles(start: AnyPosition) -> Iterator[str]:
    for move in start.legal_moves():
        yield start.format(move)


def _after(start: AnyPosition, first: str, budget: Budget, stop: Stop | None) -> Solved:
    """Find the value after one first tile."""
    position = start.play(start.parse(first))
    thought = thinking.alphabeta(vasco, position, budget, stop=stop, tuning=_TO_THE_END)
    texts = [first]
    if thought.proved is not None:
        for move in thought.line:
            texts.append(position.format(move))
            position = position.play(move)
    outcome = position.outcome()
    score = None if thought.proved is None else 1.0 - thought.proved
    reason = "" if outcome is None else outcome.reason
    return Solved(size_of(start), score, tuple(texts), reason, thought.nodes, thought.seconds)


def _for_o(solved: Solved) -> float:
    assert solved.score is not None
    return solved.score


def _left(budget: Budget | None, found: list[Solved]) -> Budget:
    """Return what earlier first tiles have left of a budget."""
    if budget is None:
        return Budget()
    nodes, seconds = budget.nodes, budget.seconds
    return Budget(
        None if nodes is None else max(1, nodes - _nodes(found)),
        None if seconds is None else max(0.01, seconds - _seconds(found)),
    )


def _nodes(found: list[Solved]) -> int:
    return sum(each.nodes for each in found)


def _seconds(found: list[Solved]) -> float:
    return sum(each.seconds for each in found)
