"""Thoughts by Monte Carlo tree search."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search import chance
from sarsen.search.contract import DRAWN, ONGOING, Array, Kernel, KernelModule
from sarsen.search.thinking import answers, runs
from sarsen.search.thinking.answers import Weighed, watched_limits
from sarsen.search.thought import Budget, Stop, Thought, refuse_when_over

_PARTS = ("legal", "play", "evaluate", "order", "prove", "rollout")
# Nodes of the tree made ready for each visit; moves in a position, roughly.
_GROWTH = 64

# A row a node; see the columns in `mcts`.
Nodes = np.ndarray[tuple[int, int], np.dtype[np.int64]]


@dataclass(frozen=True)
class Exploring:
    """The settings of the tree search of a game.

    Attributes:
        exploration: How much a child rarely seen is worth a visit, in thousandths.
        bias: How much is expected of what `order` likes best, in thousandths.
        expand_at: A leaf gets children once it was visited so often.
        playout_plies: Plies by chance from a leaf, when the kernel has no `rollout` or
            `has_rollout` forbids it; then `evaluate` judges, if there is one.
        has_rollout: Use the kernel's own `rollout`.
        even_points: An `evaluate` of so many points is a chance of three to one to win.
    """

    exploration: int = 700
    bias: int = 0
    expand_at: int = 1
    playout_plies: int = 400
    has_rollout: bool = True
    even_points: int = 1000


def mcts(
    module: KernelModule,
    position: AnyPosition,
    budget: Budget,
    seed: int = 0,
    stop: Stop | None = None,
    exploring: Exploring = Exploring(),
) -> Thought:
    """Think by visits of a tree; candidates are root moves, most visited first.

    Raises:
        UserError: The game is over.
    """
    refuse_when_over(position)
    from sarsen.search import mcts as search

    started = time.monotonic()
    kernel = module.kernel(position)
    budget = runs.bounded_nodes(kernel, budget)
    root = module.encode(position)
    control = _control(kernel, exploring)
    moves = np.empty(kernel.most_moves, np.int64)
    words = max(
        runs.table_words(budget, _GROWTH * search.NODE), 2 * kernel.most_moves * search.NODE
    )
    with watched_limits(control, budget, stop), runs.borrowed_array(words, is_zeroed=False) as tree:
        room = (control, root, root.copy(), moves, np.zeros_like(moves), tree)
        path = np.zeros(search.MAX_PLIES + 1, np.int64)
        runs.run(search, "explore", kernel, _PARTS, *room, path, chance.seeded(seed))
        table = tree[: control[search.USED] * search.NODE].reshape(-1, search.NODE)
        best = _ranked(table, 0)
        weighed = [_weighed(table, child) for child in best]
        codes = _line(table, best[0])
        result = int(table[0, search.SETTLED])
    if result != ONGOING:
        codes = answers.extended_to_end(kernel, root, codes)
    candidates = answers.candidates(module, position, weighed)
    line = answers.line(module, position, candidates[0].move, codes)
    return Thought(
        candidates[0].move,
        candidates[0].score,
        None if result == ONGOING else _proved(result, int(root[0])),
        plies=None if result == ONGOING else answers.plies_to_end(position, line),
        line=line,
        candidates=candidates,
        nodes=int(control[search.NODES]),
        seconds=time.monotonic() - started,
    )


def _control(kernel: Kernel, exploring: Exploring) -> Array:
    from sarsen.search import mcts as search

    control = np.zeros(search.CONTROL_SIZE, np.int64)
    control[search.STATE_SIZE] = kernel.state_size
    control[search.EXPLORATION] = exploring.exploration
    control[search.BIAS] = exploring.bias
    control[search.EXPAND_AT] = exploring.expand_at
    control[search.HAS_ORDER] = kernel.order is not None
    control[search.HAS_ROLLOUT] = exploring.has_rollout and kernel.rollout is not None
    control[search.PLAYOUT_PLIES] = exploring.playout_plies
    control[search.HAS_EVALUATE] = kernel.evaluate is not None
    control[search.EVEN_POINTS] = exploring.even_points
    return control


def _ranked(table: Nodes, parent: int) -> list[int]:
    """Rank children: won, then by visits, drawn as far as it is better, then lost."""
    from sarsen.search import mcts as search

    first, count = int(table[parent, search.FIRST]), int(table[parent, search.COUNT])
    children = range(first, first + count)
    seat = int(table[parent, search.TURN])
    open_ones = [child for child in children if table[child, search.SETTLED] == ONGOING]
    most = max(open_ones, key=lambda child: int(table[child, search.VISITS]), default=None)
    draw_is_better = most is None or _score(table, most, seat) < 0.5

    def rank(child: int) -> tuple[float, int]:
        proved = _proved(int(table[child, search.SETTLED]), seat)
        visits = int(table[child, search.VISITS])
        if proved == 0.5:
            return (1.5 if draw_is_better else 0.5, visits)
        return (1.0 if proved is None else 3 * proved - (proved == 0.0), visits)

    return sorted(children, key=rank, reverse=True)


def _weighed(table: Nodes, child: int) -> Weighed:
    from sarsen.search import mcts as search

    seat = int(table[0, search.TURN])
    proved = _proved(int(table[child, search.SETTLED]), seat)
    score = _score(table, child, seat) if proved is None else proved
    return Weighed(int(table[child, search.MOVE]), score, proved)


def _score(table: Nodes, child: int, seat: int) -> float:
    """Return the mean of a child as if two visits more had been lost: few visits say little."""
    from sarsen.search import mcts as search

    visits, points = int(table[child, search.VISITS]), int(table[child, search.POINTS])
    first = points / search.FULL
    return (visits - first if seat else first) / (visits + 2)


def _proved(result: int, seat: int) -> float | None:
    if result == ONGOING:
        return None
    return 0.5 if result == DRAWN else float(result == seat + 1)


def _line(table: Nodes, child: int) -> list[int]:
    """Follow the most visited, or the proof, as far as the tree goes."""
    from sarsen.search import mcts as search

    codes = [int(table[child, search.MOVE])]
    while table[child, search.COUNT] > 0 and len(codes) < search.MAX_PLIES:
        child = _ranked(table, child)[0]
        if table[child, search.VISITS] == 0:
            break
        codes.append(int(table[child, search.MOVE]))
    return codes
