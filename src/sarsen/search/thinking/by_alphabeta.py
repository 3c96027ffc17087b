"""Thoughts by alpha-beta."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search.contract import STATIC, WIN, Array, Kernel, KernelModule
from sarsen.search.ordering import HISTORY_SIZE
from sarsen.search.thinking import answers, runs
from sarsen.search.thinking.answers import Weighed, watched_limits
from sarsen.search.thought import Budget, Stop, Thought, refuse_when_over
from sarsen.search.transpositions import AT_LEAST, BUCKET, EXACT, EXHAUSTED

_PARTS = ("legal", "play", "evaluate", "order", "prove", "lists")


@dataclass(frozen=True)
class Tuning:
    """The settings of alpha-beta for a game.

    Attributes:
        deepest: No search is deeper, in plies.
        order_depth: `order` is asked where so many plies are left, or more.
        late, very_late: From these places in a list of moves a search is a ply, and
            two plies, less deep at first.
        pruned_after: With two plies left or fewer, moves from this place are left out.
        margin: Root moves within so many points of the best get their own score.
        even_points: A score of so many points is a chance of three to one to win.
    """

    deepest: int = 50
    order_depth: int = 2
    late: int = 8
    very_late: int = 40
    pruned_after: int = 1 << 30
    margin: int = 0
    even_points: int = 1000


def alphabeta(
    module: KernelModule,
    position: AnyPosition,
    budget: Budget,
    seed: int = 0,
    stop: Stop | None = None,
    tuning: Tuning = Tuning(),
) -> Thought:
    """Think by alpha-beta; candidates are root moves with a score of their own.

    Raises:
        UserError: The game is over.
    """
    refuse_when_over(position)
    from sarsen.search import alphabeta as search

    started = time.monotonic()
    kernel = module.kernel(position)
    budget = runs.bounded_nodes(kernel, budget)
    root = module.encode(position)
    moves, scores = _root(kernel, root, _root_codes(module, kernel, position, root), seed)
    kinds = np.full(moves.shape[0], AT_LEAST, np.int64)
    control = _control(kernel, tuning)
    lines = np.zeros((search.MAX_PLIES + 2) * (search.MAX_PLIES + 1), np.int64)
    with (
        watched_limits(control, budget, stop),
        runs.borrowed_array(runs.table_words(budget, BUCKET)) as table,
    ):
        work = (control, *_stacks(kernel, root), table, _history(), lines)
        depth = runs.run(search, "deepen", kernel, _PARTS, *work, moves, scores, kinds)
    roots = list(zip(moves.tolist(), scores.tolist(), kinds.tolist(), strict=True))
    weighed = _weighed_root_moves(roots, is_solved=depth == EXHAUSTED, tuning=tuning)
    codes = [int(code) for code in lines[1 : 1 + lines[0]]]
    return _thought(module, kernel, position, root, weighed, codes, control, started)


def _thought(
    module: KernelModule,
    kernel: Kernel,
    position: AnyPosition,
    root: Array,
    weighed: list[Weighed],
    codes: list[int],
    control: Array,
    started: float,
) -> Thought:
    candidates = answers.candidates(module, position, weighed)
    best = candidates[0]
    if not codes or codes[0] != weighed[0].code:
        codes = [weighed[0].code]
    if best.proved is not None:
        codes = answers.extended_to_end(kernel, root, codes)
    line = answers.line(module, position, best.move, codes)
    return Thought(
        best.move,
        best.score,
        best.proved,
        plies=answers.plies_to_end(position, line) if best.proved is not None else None,
        line=line,
        candidates=candidates,
        nodes=int(control[0]),
        seconds=time.monotonic() - started,
    )


def _root_codes(
    module: KernelModule, kernel: Kernel, position: AnyPosition, root: Array
) -> list[int]:
    """List the moves to search: the kernel's, unless it has forgotten what forbids some."""
    moves = np.empty(kernel.most_moves, np.int64)
    count = kernel.legal(kernel.constants, root, moves)
    legal = position.legal_moves()
    if count > len(legal):
        return [module.code(position, move) for move in legal]
    codes: list[int] = moves[:count].tolist()
    return codes


def _root(kernel: Kernel, root: Array, codes: list[int], seed: int) -> tuple[Array, Array]:
    """Return the root moves, best first as `order` sees them, and what is known of each.

    Moves that `order` drops lose at once; they come last, as lost. Equal ones are shuffled.
    """
    random.Random(seed).shuffle(codes)
    count = len(codes)
    moves, scores = np.empty(kernel.most_moves, np.int64), np.zeros(kernel.most_moves, np.int64)
    kept_count = count
    if kernel.order is not None:
        moves[:count] = codes
        kept_count = kernel.order(kernel.constants, root, moves, scores, count)
    promise = dict(zip(moves[:kept_count].tolist(), scores[:kept_count].tolist(), strict=True))
    if kernel.order is None:
        promise = dict.fromkeys(codes, 0)
    codes.sort(key=lambda code: -promise.get(code, -WIN))
    values = [0 if code in promise else 2 - WIN for code in codes]
    return np.array(codes, np.int64), np.array(values, np.int64)


def _control(kernel: Kernel, tuning: Tuning) -> Array:
    from sarsen.search import alphabeta as search

    control = np.zeros(search.CONTROL_SIZE, np.int64)
    control[search.STATE_SIZE] = kernel.state_size
    control[search.MAX_MOVES] = kernel.most_moves
    control[search.DEEPEST] = min(tuning.deepest, search.MAX_PLIES)
    control[search.IS_CYCLIC] = kernel.is_cyclic
    control[search.IS_FORGETFUL] = kernel.is_forgetful
    has_order = kernel.order is not None
    control[search.ORDER_DEPTH] = tuning.order_depth if has_order else search.MAX_PLIES + 1
    control[search.LATE], control[search.VERY_LATE] = tuning.late, tuning.very_late
    control[search.PRUNED_AFTER] = tuning.pruned_after
    control[search.MARGIN] = tuning.margin
    return control


def _stacks(kernel: Kernel, root: Array) -> tuple[Array, Array, Array]:
    """Make room for states, moves and scores of a line; what is not used costs nothing."""
    from sarsen.search import alphabeta as search

    frames = search.MAX_PLIES + 2
    states = np.empty(frames * kernel.state_size, np.int64)
    states[: kernel.state_size] = root
    moves = np.empty(frames * kernel.most_moves, np.int64)
    return states, moves, np.empty_like(moves)


def _history() -> Array:
    from sarsen.search import alphabeta as search

    history = np.zeros(2 * HISTORY_SIZE + 2 * (search.MAX_PLIES + 2), np.int64)
    # No move is a killer yet, not even the move 0.
    history[2 * HISTORY_SIZE :] = -1
    return history


def _weighed_root_moves(
    roots: list[tuple[int, int, int]], *, is_solved: bool, tuning: Tuning
) -> list[Weighed]:
    """List the root moves whose scores are known, lost ones last.

    A search that was ended early has not seen all of them to the same depth: what was seen
    last may be lost, and the rest better than nothing.
    """
    lost = [root for root in roots if root[1] < -STATIC]
    exact = [root for root in roots if root[1] >= -STATIC and root[2] == EXACT]
    if not exact:
        return [Weighed(move, 0.5) for move, score, _ in roots if score >= -STATIC] + [
            Weighed(move, 0.0, 0.0) for move, _, _ in lost
        ]
    return [_weighed(move, score, is_solved, tuning) for move, score, _ in exact + lost]


def _weighed(move: int, score: int, is_solved: bool, tuning: Tuning) -> Weighed:
    if abs(score) > STATIC:
        return Weighed(move, float(score > 0), float(score > 0))
    expected = 0.5 + 0.5 * score / (abs(score) + tuning.even_points)
    return Weighed(move, expected, 0.5 if is_solved and score == 0 else None)
