"""From codes of a kernel to moves of the rules, which judge each of them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search.contract import (
    ONGOING,
    RESULT,
    SEAT,
    Array,
    Kernel,
    KernelModule,
    legal_move,
    line_of,
)
from sarsen.search.thinking import runs
from sarsen.search.thought import Budget, Candidate, Stop, seconds_loading

_log = logging.getLogger(__name__)

# A thought holds no more candidates than this.
MAX_CANDIDATES = 60  # more are read by nobody, and each is judged by the rules


@dataclass(frozen=True)
class Weighed:
    """A root move as a search found it: its code, and what a `Candidate` says."""

    code: int
    score: float
    proved: float | None = None


def candidates(
    module: KernelModule, position: AnyPosition, weighed: Iterable[Weighed]
) -> tuple[Candidate, ...]:
    """Turn the best root moves into moves of the rules; leave out what they refuse.

    Never empty: where a kernel fails altogether, the first move of the rules stands in.
    """
    legal = frozenset(position.legal_moves())
    legal_candidates: list[Candidate] = []
    for root in weighed:
        if len(legal_candidates) == MAX_CANDIDATES:
            break
        move = legal_move(module, position, root.code, legal)
        if move is not None:
            legal_candidates.append(Candidate(move, root.score, root.proved))
        else:
            # A defect of ours, which must not cost a player the game.
            _log.error("kernel move refused: code %s in %s", root.code, position.write())
    return tuple(legal_candidates) or (Candidate(position.legal_moves()[0], 0.5),)


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


def extended_to_end(kernel: Kernel, root: Array, codes: list[int]) -> list[int]:
    """Lengthen a decided line to the end that `prove` or `order` saw, when it is near.

    The seat to move wins at once, or whatever it does it has lost, or the other wins at
    once; it holds out as long as it can. A line that is not decided so is left as it is.
    """
    state = root.copy()
    for code in codes:
        kernel.play(kernel.constants, state, code)
    if state[RESULT] != ONGOING:
        return codes
    win = _win_at_once(kernel, state)
    if win is not None:
        return [*codes, win]
    return [*codes, *_longest_defence(kernel, state)]


def _longest_defence(kernel: Kernel, state: Array) -> list[int]:
    """Return a move and the win that answers it, else a move that loses; empty when it may hold."""
    moves = np.empty(kernel.most_moves, np.int64)
    count = kernel.legal(kernel.constants, state, moves)
    defence: list[int] = []
    for code in moves[:count].tolist():
        after = state.copy()
        result = kernel.play(kernel.constants, after, code)
        if result == ONGOING:
            win = _win_at_once(kernel, after)
            if win is None or after[SEAT] == state[SEAT]:
                return []
            if len(defence) < 2:
                defence = [code, win]
        elif result != 2 - state[SEAT]:
            return []
        defence = defence or [code]
    return defence


def _win_at_once(kernel: Kernel, state: Array) -> int | None:
    from sarsen.search import tactics

    room = (np.empty(kernel.most_moves, np.int64), np.empty_like(state))
    move = runs.run(tactics, "winning_move", kernel, ("legal", "play"), state, *room)
    return None if move < 0 else move


# The first words of every search's `control`.
NODES, LIMIT, STOP = 0, 1, 2
NO_LIMIT = 1 << 62  # nodes: no search comes so far
# How often `stop` is looked at: a search runs on so long after it is set, which nobody notices.
STOP_POLL_SECONDS = 0.02


@contextmanager
def watched_limits(control: Array, budget: Budget, stop: Stop | None) -> Iterator[None]:
    """Set the limits of a search, and its stop flag when the time is over or `stop` is set."""
    control[LIMIT] = NO_LIMIT if budget.nodes is None else max(budget.nodes, 1)
    if stop is not None and stop.is_set():
        control[STOP] = 1
    if budget.seconds is None and stop is None:
        yield
        return
    finished = threading.Event()
    watcher = threading.Thread(
        target=_watch, args=(control, budget.seconds, stop, finished), daemon=True
    )
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()


def _watch(
    control: Array, seconds: float | None, stop: Stop | None, finished: threading.Event
) -> None:
    loaded = seconds_loading()
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        # The first thought of a process loads its search: that is no thinking. The clock is read
        # before what was loaded: this thread may stand still between, and must not stop too soon.
        left = None if end is None else max(end - time.monotonic() + seconds_loading() - loaded, 0)
        timeout = left
        if stop is not None:
            timeout = STOP_POLL_SECONDS if left is None else min(left, STOP_POLL_SECONDS)
        if finished.wait(timeout):
            return
        if (stop is not None and stop.is_set()) or left == 0:
            control[STOP] = 1
            return
