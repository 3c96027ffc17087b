"""A run of a search: functions of a kernel, or what stands in for them, and memory to work in.

Memory is a few big arrays a process, lent to one search at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    EVALUATE_SIGNATURE,
    LISTS_SIGNATURE,
    ORDER_SIGNATURE,
    PROVE_SIGNATURE,
    ROLLOUT_SIGNATURE,
    UNKNOWN,
    UNSAID,
    Array,
    Kernel,
    aligned_zeros,
)
from sarsen.search.rules_kernel import MAX_POSITIONS, interpreted
from sarsen.search.thought import Budget

# The longest array of a search: 32 MiB. A tree of Vasco, with some 90 moves a position, is full
# after 5,800 of them have children; further visits go to its leaves. Four times the room
# scored 19 of 36 games with 20,000 visits each: no reason to take it.
MAX_WORDS = 1 << 22
# So many searches at once find an array ready; others make their own.
MAX_KEPT = 2
# The fastest of our searches, roughly.
_NODES_A_SECOND = 2_000_000
_kept: list[Array] = []
_lock = threading.Lock()  # threads that think at the same time share `_kept`


def run(search: ModuleType, entry: str, kernel: Kernel, parts: Sequence[str], *work: Any) -> int:
    """Call a search with functions of a kernel, its constants, and room to work."""
    functions = [_part(kernel, name) for name in parts]
    if kernel.is_compiled:
        return int(getattr(search, entry)(*functions, kernel.constants, *work))
    # Hashes overflow, as they do in compiled code, without a word.
    with np.errstate(over="ignore"):
        return int(interpreted(search)[entry](*functions, kernel.constants, *work))


def bounded_nodes(kernel: Kernel, budget: Budget) -> Budget:
    """Bound the nodes for a kernel that remembers every position it has seen."""
    if kernel.is_compiled:
        return budget
    return replace(budget, nodes=min(budget.nodes or MAX_POSITIONS, MAX_POSITIONS))


@contextmanager
def borrowed_array(words: int, *, is_zeroed: bool = True) -> Iterator[Array]:
    """Lend an array, zeroed for tables: their past would make thoughts depend on it."""
    with _lock:
        array = _kept.pop() if _kept else np.empty(0, np.int64)
    if array.shape[0] < words:
        array = aligned_zeros(words)
    elif is_zeroed:
        array[:words] = 0
    try:
        yield array[:words]
    finally:
        with _lock:  # as above
            if len(_kept) < MAX_KEPT and array.shape[0] <= MAX_WORDS:
                _kept.append(array)


def table_words(budget: Budget, words_a_node: int) -> int:
    """Return a power of two of words that serves a budget, within bounds."""
    nodes = MAX_WORDS if budget.nodes is None else max(budget.nodes, 1)
    if budget.seconds is not None:
        # Clearing a big table would take a short thought's time.
        nodes = min(nodes, int(budget.seconds * _NODES_A_SECOND) + 1)
    return min(MAX_WORDS, max(1 << 12, 1 << (nodes * words_a_node - 1).bit_length()))


@compiled(EVALUATE_SIGNATURE)
def _find_equal(constants, state):  # type: ignore[no-untyped-def]
    """Find both seats equal."""
    return 0


@compiled(ORDER_SIGNATURE)
def _keep_order(constants, state, moves, scores, count):  # type: ignore[no-untyped-def]
    """Keep all moves, and find none better."""
    scores[:count] = 0
    return count


@compiled(PROVE_SIGNATURE)
def _know_nothing(constants, state):  # type: ignore[no-untyped-def]
    """Know nothing."""
    return UNKNOWN


@compiled(LISTS_SIGNATURE)
def _list_to_know(constants, state, move):  # type: ignore[no-untyped-def]
    """Leave it to `legal`."""
    return UNSAID


@compiled(ROLLOUT_SIGNATURE)
def _find_drawn(constants, state, chance):  # type: ignore[no-untyped-def]
    """Find both seats equal; searches play out by `legal` and `play` instead."""
    return DRAWN


# By the attribute of a kernel that may be None.
_STAND_INS: dict[str, Callable[..., int]] = {
    "evaluate": _find_equal,
    "order": _keep_order,
    "prove": _know_nothing,
    "rollout": _find_drawn,
    "lists": _list_to_know,
}


def _part(kernel: Kernel, name: str) -> Callable[..., int]:
    own: Callable[..., int] | None = getattr(kernel, name)
    return _STAND_INS[name] if own is None else own
