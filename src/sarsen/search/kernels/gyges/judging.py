"""How a position is judged: who wins at once, who stands better, which moves come first."""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    EVALUATE_SIGNATURE,
    INTEGERS,
    ORDER_SIGNATURE,
    PROVE_SIGNATURE,
    PROVED_WIN,
    SEAT,
    UNKNOWN,
)
from sarsen.search.kernels.gyges.by_hand import judge_by_hand
from sarsen.search.kernels.gyges.features import turned
from sarsen.search.kernels.gyges.net import HAS_NET, judge_by_net
from sarsen.search.kernels.gyges.reach import winner
from sarsen.search.kernels.gyges.turns import HIGH, LOW, SET_UP, arranged

_ONE, _SIX, _PLACE = np.uint64(1), np.uint64(6), np.uint64(63)
_GOALS, _SET_UP_SLOTS = np.uint64(36), np.uint64(63)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def judge(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Give points for a seat to move that cannot win at once."""
    if constants[HAS_NET] == 0:
        return judge_by_hand(constants, low, high, seat)
    if seat:
        return judge_by_net(constants, turned(low), turned(high))
    return judge_by_net(constants, low, high)


@compiled(EVALUATE_SIGNATURE)
def evaluate(constants, state):  # type: ignore[no-untyped-def]
    """Judge a position; set-ups are all alike."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    if (low | high) <= _SET_UP_SLOTS:
        return 0
    return judge(constants, low, high, np.uint64(state[SEAT]))


@compiled(PROVE_SIGNATURE)
def prove(constants, state):  # type: ignore[no-untyped-def]
    """See a win at once."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    if (low | high) > _SET_UP_SLOTS and winner(constants, low, high, np.uint64(state[SEAT])) >= 0:
        return PROVED_WIN
    return UNKNOWN


@compiled(ORDER_SIGNATURE)
def order(constants, state, moves, scores, count):  # type: ignore[no-untyped-def]
    """Judge each move by what it leaves; drop those after which the other wins at once."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    seat = np.uint64(state[SEAT])
    kept = 0
    for index in range(count):
        move = moves[index]
        end = np.uint64(move) >> _SIX & _PLACE
        moves[kept] = move
        if move & SET_UP:
            scores[kept] = 0
        elif end >= _GOALS:
            scores[kept] = 1 << 30
        else:
            new_low, new_high = arranged(low, high, np.uint64(move))
            if winner(constants, new_low, new_high, _ONE - seat) >= 0:
                continue
            scores[kept] = -judge(constants, new_low, new_high, _ONE - seat)
        kept += 1
    return kept
