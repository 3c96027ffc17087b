"""The table of alpha-beta."""

from __future__ import annotations

import numpy as np

from sarsen.search import transpositions
from sarsen.search.contract import WIN
from sarsen.search.rules_kernel import interpreted
from sarsen.search.transpositions import AT_LEAST, AT_MOST, EXACT, EXHAUSTED, FOR_EVER, NOTHING

_NAMES = interpreted(transpositions)
look_up, keep = _NAMES["look_up"], _NAMES["keep"]
# One bucket, so that all keys meet.
SMALL = transpositions.BUCKET


def test_a_win_is_as_far_as_the_position_is_from_the_root() -> None:
    table = np.zeros(SMALL, np.int64)
    with np.errstate(over="ignore"):
        # Found at ply 5: three plies more to the win.
        keep(table, np.int64(9), 4, WIN - 8, 2, EXACT, 5)
        assert look_up(table, np.int64(9), 9, 0, 1, 1) == (4, WIN - 4, FOR_EVER)
        keep(table, np.int64(9), 4, 8 - WIN, 2, EXACT, 5)
        assert look_up(table, np.int64(9), 9, 0, 1, 7) == (4, 10 - WIN, FOR_EVER)


def test_an_answer_must_be_deep_enough_and_on_the_right_side() -> None:
    table = np.zeros(SMALL, np.int64)
    with np.errstate(over="ignore"):
        keep(table, np.int64(9), 4, 50, 3, AT_LEAST, 0)
        assert look_up(table, np.int64(9), 3, 10, 50, 0)[2] != NOTHING
        assert look_up(table, np.int64(9), 4, 10, 50, 0) == (4, 50, NOTHING)
        assert look_up(table, np.int64(9), 3, 10, 51, 0)[2] == NOTHING
        keep(table, np.int64(9), 4, 50, EXHAUSTED, AT_MOST, 0)
        assert look_up(table, np.int64(9), 30, 50, 60, 0)[2] == FOR_EVER
        assert look_up(table, np.int64(9), 30, 49, 60, 0)[2] == NOTHING


def test_the_deeper_entry_stays_and_the_newer_comes_beside_it() -> None:
    table = np.zeros(SMALL, np.int64)
    with np.errstate(over="ignore"):
        for key, depth in ((1, 9), (2, 3), (3, 4)):
            keep(table, np.int64(key), key, 0, depth, EXACT, 0)
        moves = [look_up(table, np.int64(key), 0, 0, 1, 0)[0] for key in (1, 2, 3)]
    assert moves == [1, -1, 3]


def test_a_position_without_a_key_is_never_kept() -> None:
    table = np.zeros(SMALL, np.int64)
    keep(table, np.int64(0), 4, 50, 3, EXACT, 0)
    assert not table.any()
    assert look_up(table, np.int64(0), 0, 0, 1, 0) == (-1, 0, NOTHING)
