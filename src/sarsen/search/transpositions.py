"""The table of alpha-beta: what was found of a position, however it came about.

An entry is four words: the key, the best move, the score as seen from the position, and
depth * 4 + bound. Two entries fill a line of the processor's cache: the first keeps the
deeper search, the second the newer one.
"""

from __future__ import annotations

import numpy as np

from sarsen.search.compiling import part, prefetch
from sarsen.search.contract import STATIC

ENTRY = 4
BUCKET = 2 * ENTRY

# What a score is: the value, a lower bound, or an upper bound.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
# The depth of a value that no deeper search can change.
EXHAUSTED = 1000
# From here on a score says that the game is decided.
DECIDED = STATIC + 1

# What `look_up` knows: nothing that helps, an answer for this depth, or one for ever.
NOTHING, FOR_NOW, FOR_EVER = 0, 1, 2


@part
def expect(table, key):  # type: ignore[no-untyped-def]
    """Have the bucket of a key brought near: it mostly lies in no cache of the processor."""
    prefetch(table, _bucket(table, key))


@part
def look_up(table, key, depth, alpha, beta, ply):  # type: ignore[no-untyped-def]
    """Return the move last found best or -1, the score seen from the root, and what it is worth."""
    if key == 0:
        return -1, 0, NOTHING
    start = _bucket(table, key)
    for entry in range(start, start + BUCKET, ENTRY):
        if table[entry] != key:
            continue
        score, packed = table[entry + 2], table[entry + 3]
        is_decided = abs(score) >= DECIDED
        if is_decided:
            score += -ply if score > 0 else ply
        depth_then, bound = packed >> 2, packed & 3
        answers = (
            bound == EXACT
            or (bound == AT_LEAST and score >= beta)
            or (bound == AT_MOST and score <= alpha)
        )
        worth = NOTHING
        if answers and (is_decided or depth_then == EXHAUSTED):
            worth = FOR_EVER
        elif answers and depth_then >= depth:
            worth = FOR_NOW
        return table[entry + 1], score, worth
    return -1, 0, NOTHING


@part
def keep(table, key, move, score, depth, bound, ply):  # type: ignore[no-untyped-def]
    """Put what was found into the table; a position without a key is not kept."""
    if key == 0:
        return
    if abs(score) >= DECIDED:
        score += ply if score > 0 else -ply
    entry = _bucket(table, key)
    if table[entry] != key and table[entry + 3] >> 2 > depth:
        entry += ENTRY
    table[entry], table[entry + 1] = key, move
    table[entry + 2], table[entry + 3] = score, depth * 4 + bound


@part
def _bucket(table, key):  # type: ignore[no-untyped-def]
    """Return where a key's bucket begins. Weak keys are mixed once more."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return (np.int64(mixed >> np.uint64(24)) & (table.shape[0] // BUCKET - 1)) * BUCKET
