"""From codes of a kernel to moves of the rules, which judge each of them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.search.contract import ONGOING, RESULT, SEAT, Array, Kernel, KernelModule, line_of
from sarsen.search.thought import Candidate

_log = logging.getLogger(__name__)

# A thought holds no more candidates than this.
MOST_CANDIDATES = 60


@dataclass(frozen=True)
class Weighed:
    """A root move as a search found it: its code, and what a `Candidate` says."""

    code: int
    score: float
    proved: float | None = None


def refuse_when_over(position: AnyPosition) -> None:
    """Refuse to think where nothing is left to find.

    Raises:
        UserError: The game is over.
    """
    if position.outcome() is not None:
        raise UserError("The game is over: there is no move to find.", code="game-over")


def candidates(
    module: KernelModule, position: AnyPosition, weighed: Iterable[Weighed]
) -> tuple[Candidate, ...]:
    """Turn the best root moves into moves of the rules; leave out what they refuse.

    Never empty: where a kernel fails altogether, the first move of the rules stands in.
    """
    legal = frozenset(position.legal_moves())
    found: list[Candidate] = []
    for root in weighed:
        if len(found) == MOST_CANDIDATES:
            break
        move = _move(module, position, root.code)
        if move in legal:
            found.append(Candidate(move, root.score, root.proved))
        else:
            # A defect of ours, which must not cost a player the game.
            _log.error("kernel move refused: code %s in %s", root.code, position.write())
    return tuple(found) or (Candidate(position.legal_moves()[0], 0.5),)


def line(
    module: KernelModule, position: AnyPosition, first: Any, codes: Sequence[int]
) -> tuple[Any, ...]:
    """Turn a line of codes into moves; it begins with `first`, or is only that."""
    moves = line_of(module, position, codes)
    return moves if moves[:1] == (first,) else (first,)


def plies_to_end(position: AnyPosition, line: Sequence[Any]) -> int | None:
    """Count the plies of a line that ends the game; None when it stops before."""
    for move in line:
        position = position.play(move)
    return len(line) if position.outcome() is not None else None


def with_end(kernel: Kernel, root: Array, codes: list[int]) -> list[int]:
    """Lengthen a decided line to the end that `prove` or `order` saw, when it is near.

    The seat to move wins at once, or whatever it does it has lost, or the other wins at once.
    """
    state = root.copy()
    for code in codes:
        kernel.play(kernel.constants, state, code)
    if state[RESULT] != ONGOING:
        return codes
    moves = np.empty(kernel.most_moves, np.int64)
    win = _win_at_once(kernel, state, moves)
    if win is not None:
        return [*codes, win]
    kernel.legal(kernel.constants, state, moves)
    first, other = int(moves[0]), 1 - state[SEAT]
    kernel.play(kernel.constants, state, first)
    if state[RESULT] == other + 1:
        return [*codes, first]
    win = _win_at_once(kernel, state, moves) if state[RESULT] == ONGOING else None
    return codes if win is None else [*codes, first, win]


def _win_at_once(kernel: Kernel, state: Array, moves: Array) -> int | None:
    count = kernel.legal(kernel.constants, state, moves)
    for code in moves[:count].tolist():
        after = state.copy()
        if kernel.play(kernel.constants, after, code) == state[SEAT] + 1:
            return int(code)
    return None


def _move(module: KernelModule, position: AnyPosition, code: int) -> Any:
    try:
        return module.move(position, code)
    except UserError:
        return None
