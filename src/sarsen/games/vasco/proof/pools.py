"""The winner of Vasco with a small pool, by a search of every line to its end.

From `SMALLEST` tiles on nothing is searched: there X's answers are stored, and proved.

The first tile has one cell and six rotations, and turning or mirroring that cell turns
each rotation into each other one. All six are searched all the same: Ruling V4 fills forced
cells in reading order until the pool is empty, and what is read first does not turn with the
table. With 18 tiles O draws after two of them and loses after four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.vasco import kernel as vasco_kernel
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.proof import forced_loop
from sarsen.games.vasco.proof.forced_loop import SMALLEST, X, lines
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search import thinking
from sarsen.search.contract import RESULT
from sarsen.search.thinking import Tuning
from sarsen.search.thought import Budget, Stop

_TO_THE_END = Tuning(late=1 << 30, very_late=1 << 30)


@dataclass(frozen=True)
class SolvedPool:
    """The value of a pool.

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


def solve(size: int, budget: Budget | None = None, stop: Stop | None = None) -> SolvedPool:
    """Find the value of a pool; without a budget, however long it takes.

    Large pools are answered at once, by the lines of `forced_loop`.

    Raises:
        UserError: There is no pool of that size.
    """
    start = GAME.start({"size": size})
    if size >= SMALLEST:
        return _by_heart(start)
    solved: list[SolvedPool] = []
    for text in _first_tiles(start):
        solved.append(_after(start, text, _left(budget, solved), stop))
        if solved[-1].score in (None, 1.0):
            break
    best = max(solved, key=_for_o) if solved[-1].score is not None else solved[-1]
    return replace(best, nodes=_nodes(solved), seconds=_seconds(solved))


def _by_heart(start: AnyPosition) -> SolvedPool:
    position = start
    line = longest_line(size_of(start))
    for text in line:
        position = position.play(position.parse(text))
    outcome = position.outcome()
    assert outcome is not None
    return SolvedPool(size_of(start), outcome.scores[0], line, outcome.reason, 0, 0.0, lines())


def size_of(start: AnyPosition) -> int:
    """Return how many tiles there are in the pool of a first position."""
    return int(str(start.options["size"]))


def _first_tiles(start: AnyPosition) -> Iterator[str]:
    for move in start.legal_moves():
        yield start.format(move)


def _after(start: AnyPosition, first: str, budget: Budget, stop: Stop | None) -> SolvedPool:
    """Find the value after one first tile."""
    position = start.play(start.parse(first))
    thought = thinking.alphabeta(vasco_kernel, position, budget, stop=stop, tuning=_TO_THE_END)
    texts = [first]
    if thought.proved is not None:
        for move in thought.line:
            texts.append(position.format(move))
            position = position.play(move)
    outcome = position.outcome()
    score = None if thought.proved is None else 1.0 - thought.proved
    reason = "" if outcome is None else outcome.reason
    return SolvedPool(size_of(start), score, tuple(texts), reason, thought.nodes, thought.seconds)


def _for_o(solved: SolvedPool) -> float:
    assert solved.score is not None
    return solved.score


def _left(budget: Budget | None, solved: list[SolvedPool]) -> Budget:
    """Return what earlier first tiles have left of a budget."""
    if budget is None:
        return Budget()
    nodes, seconds = budget.nodes, budget.seconds
    return Budget(
        None if nodes is None else max(1, nodes - _nodes(solved)),
        None if seconds is None else max(0.01, seconds - _seconds(solved)),
    )


def _nodes(solved: list[SolvedPool]) -> int:
    return sum(pool.nodes for pool in solved)


def _seconds(solved: list[SolvedPool]) -> float:
    return sum(pool.seconds for pool in solved)


Answer = Callable[[VascoPosition], Move | None]


@dataclass
class WalkCount:
    """Count what was met.

    Attributes:
        escapes: Positions in which X was not seen to win; none, if the proof holds.
        positions: Positions with O to move, all of whose replies were tried.
        replies: O's replies.
        plies: Of the longest line, the first tile and X's last one included.
        tiles: The most that lay on the table, or would have in one of O's tries.
    """

    escapes: list[VascoPosition] = field(default_factory=list)
    positions: int = 0
    replies: int = 0
    plies: int = 0
    tiles: int = 0


def walk(size: int, first: str, answer: Answer = forced_loop.answer) -> WalkCount:
    """Answer every reply of O's after a first tile such as `a1`, to the end of every line."""
    start = GAME.start({"size": size})
    counts = WalkCount()
    seen: set[frozenset[tuple[int, str]]] = set()
    waiting = [(start.play(start.parse(first)), 1)]
    while waiting:
        position, plies = waiting.pop()
        # However the tiles came to lie there, X answers alike.
        tiles = frozenset(position.tiles.items())
        if tiles not in seen:
            seen.add(tiles)
            waiting += _replies(counts, position, answer(position), plies)
    return counts


def longest_line(size: int) -> tuple[str, ...]:
    """Return the longest stored line as a whole game, to X's loop: after it O replies anything."""
    position = GAME.start({"size": size})
    longest: tuple[str, ...] = max(forced_loop.lines(), key=len)
    texts = list(longest)
    for text in texts:
        position = position.play(position.parse(text))
    while position.outcome() is None:
        loop = _loop(position) if position.seat == X else None
        move = loop or position.legal_moves()[0]
        texts.append(position.format(move))
        position = position.play(move)
    return tuple(texts)


def _replies(
    counts: WalkCount, position: VascoPosition, move: Move | None, plies: int
) -> Iterator[tuple[VascoPosition, int]]:
    """Let X answer, and give what O may reply to it, without what X has won already."""
    move = move or _loop(position)
    if move is None:
        counts.escapes.append(position)
        return
    after = position.play(move)
    counts.plies = max(counts.plies, plies + 1)
    counts.tiles = max(counts.tiles, len(after.tiles))
    if _is_won(after):
        return
    counts.positions += 1
    tries = (placement for placements in after.survey().tried.values() for placement in placements)
    counts.tiles = max(
        counts.tiles, len(after.tiles) + max(len(placement.filled) for placement in tries)
    )
    if after.outcome() is not None:
        counts.escapes.append(after)
    for reply in after.legal_moves():
        counts.replies += 1
        following = after.play(reply)
        if following.outcome() is None:
            yield following, plies + 2
        elif not _is_won(following):
            counts.escapes.append(following)


def _loop(position: VascoPosition) -> Move | None:
    """Return a move that closes a loop for X and fits the smallest pool, or None."""
    for move in _pointed_at(position):
        after = position.play(move)
        if _is_won(after) and len(after.tiles) <= SMALLEST:
            return move
    return None


def _pointed_at(position: VascoPosition) -> Iterator[Move]:
    """Yield the moves that win, as the kernel sees it."""
    kernel, state = vasco_kernel.kernel(position), vasco_kernel.encode(position)
    room = np.empty(kernel.most_moves, np.int64)
    for code in room[: kernel.legal(kernel.constants, state, room)].tolist():
        after = state.copy()
        kernel.play(kernel.constants, after, code)
        if after[RESULT] == X + 1:
            yield vasco_kernel.move(position, code)


def _is_won(position: VascoPosition) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.winner == X and "closed loop" in outcome.reason
