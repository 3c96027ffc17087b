"""Lines that end: what a proof saw at its end is played out, the loser holding out."""

from __future__ import annotations

import numpy as np
import pytest

from sarsen.search.contract import HEADER, ONGOING, RESULT, SEAT, Array, Kernel
from sarsen.search.thinking.answers import extended_to_end

PLACE = HEADER
# A game of places: what a move of a place leads to, another place or a winner.
START, LOST, DRAWISH, CORNER, OPEN = range(5)
FIRST, SECOND, NOBODY = "first", "second", "nobody"
MOVES: dict[int, tuple[int | str, ...]] = {
    START: (LOST, SECOND),
    LOST: (SECOND, CORNER, SECOND),
    CORNER: (OPEN, SECOND),
    DRAWISH: (SECOND, NOBODY),
    OPEN: (OPEN,),
}


def legal(constants: Array, state: Array, moves: Array) -> int:
    count = len(MOVES[int(state[PLACE])])
    moves[:count] = np.arange(count)
    return count


def play(constants: Array, state: Array, move: int) -> int:
    after = MOVES[int(state[PLACE])][move]
    if isinstance(after, str):
        state[RESULT] = 1 + (FIRST, SECOND, NOBODY).index(after)
    else:
        state[PLACE] = after
    state[SEAT] ^= 1
    return int(state[RESULT])


KERNEL = Kernel(np.zeros(1, np.int64), HEADER + 1, 4, legal, play, is_compiled=False)


def stood(place: int, seat: int) -> Array:
    state = np.zeros(HEADER + 1, np.int64)
    state[PLACE], state[SEAT], state[RESULT] = place, seat, ONGOING
    return state


def test_a_lost_seat_holds_out_as_long_as_it_can() -> None:
    # Its first move would lose at once; its second lets the other seat win with its own second.
    assert extended_to_end(KERNEL, stood(LOST, 0), []) == [1, 1]


def test_a_line_that_stops_before_the_end_is_lengthened_from_where_it_stops() -> None:
    assert extended_to_end(KERNEL, stood(START, 1), [0]) == [0, 1, 1]


def test_who_wins_at_once_does() -> None:
    assert extended_to_end(KERNEL, stood(CORNER, 1), []) == [1]


@pytest.mark.parametrize("place", [DRAWISH, OPEN])
def test_a_line_whose_end_is_not_near_is_left_as_it_is(place: int) -> None:
    assert extended_to_end(KERNEL, stood(place, 0), []) == []
