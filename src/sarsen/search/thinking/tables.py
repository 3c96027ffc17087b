"""Memory of searches: a few big arrays a process, lent to one search at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from sarsen.search.contract import Array
from sarsen.search.thought import Budget

# The longest array of a search: 32 MiB. A tree of Vasco, with some 90 moves a position, is full
# after 5,800 of them have children; further visits go to its leaves. Four times the room
# scored 19 of 36 games with 20,000 visits each: no reason to take it.
MOST_WORDS = 1 << 22
# So many searches at once find an array ready; others make their own.
MOST_KEPT = 2
# The fastest of our searches, roughly.
_NODES_A_SECOND = 2_000_000

_kept: list[Array] = []
_lock = threading.Lock()


@contextmanager
def lent(words: int, *, is_zeroed: bool = True) -> Iterator[Array]:
    """Lend an array, zeroed for tables: their past would make thoughts depend on it."""
    with _lock:
        array = _kept.pop() if _kept else np.empty(0, np.int64)
    if array.shape[0] < words:
        array = np.zeros(words, np.int64)
    elif is_zeroed:
        array[:words] = 0
    try:
        yield array[:words]
    finally:
        with _lock:
            if len(_kept) < MOST_KEPT and array.shape[0] <= MOST_WORDS:
                _kept.append(array)


def fitting(budget: Budget, words_a_node: int) -> int:
    """Return a power of two of words that serves a budget, within bounds."""
    nodes = MOST_WORDS if budget.nodes is None else max(budget.nodes, 1)
    if budget.seconds is not None:
        # Clearing a big table would take a short thought's time.
        nodes = min(nodes, int(budget.seconds * _NODES_A_SECOND) + 1)
    return min(MOST_WORDS, max(1 << 12, 1 << (nodes * words_a_node - 1).bit_length()))
