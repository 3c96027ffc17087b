"""How a position is judged: who wins at once, who stands better, which moves come first."""

from __future__ import annotations

import numpy as np
from numba import int64, uint64, void

from sarsen.games.gyges.kernel.features import judge_by_hand, turned
from sarsen.games.gyges.kernel.net import (
    EVEN,
    HAS_NET,
    NOTHING,
    WON,
    judge_by_net,
    note_points,
    note_win,
    noted,
    points_of,
    prefetch_note,
)
from sarsen.games.gyges.kernel.tables import HASH_NORTH
from sarsen.games.gyges.kernel.turns import HIGH, LOW, SET_UP, arranged, hash_changed
from sarsen.games.gyges.kernel.wins import winner
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    EVALUATE_SIGNATURE,
    INTEGERS,
    KEY,
    ORDER_SIGNATURE,
    PROVE_SIGNATURE,
    PROVED_WIN,
    SEAT,
    UNKNOWN,
)

_ONE, _SIX, _PLACE = np.uint64(1), np.uint64(6), np.uint64(63)
_GOALS, _SET_UP_SLOTS = np.uint64(36), np.uint64(63)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def judge(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Return points for a seat to move that cannot win at once."""
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
    note = noted(constants, state[KEY])
    if note > WON:
        return points_of(note)
    points = judge(constants, low, high, np.uint64(state[SEAT]))
    note_points(constants, state[KEY], points)
    return points


@compiled(PROVE_SIGNATURE)
def prove(constants, state):  # type: ignore[no-untyped-def]
    """See a win at once."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    if (low | high) <= _SET_UP_SLOTS:
        return UNKNOWN
    note = noted(constants, state[KEY])
    if note == NOTHING:
        if winner(constants, low, high, np.uint64(state[SEAT])) < 0:
            return UNKNOWN
        note_win(constants, state[KEY])
    return PROVED_WIN if note <= WON else UNKNOWN


@compiled(int64(INTEGERS, uint64, uint64, uint64, int64))
def _note_of(constants, low, high, seat, key):  # type: ignore[no-untyped-def]
    """Find whether the seat to move wins at once, or else its points, as a note says it."""
    note = noted(constants, key)
    if note == NOTHING:
        if winner(constants, low, high, seat) >= 0:
            note_win(constants, key)
            return WON
        points = judge(constants, low, high, seat)
        note_points(constants, key, points)
        return points + EVEN
    return note


@compiled(void(INTEGERS, INTEGERS, INTEGERS, INTEGERS, int64))
def _fill_keys(constants, state, moves, keys, count):  # type: ignore[no-untyped-def]
    """Fill in the key of what each move leaves, those of wins and set-ups aside."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    turned_key = state[KEY] ^ constants[HASH_NORTH]
    for index in range(count):
        move = np.uint64(moves[index])
        if move >> _SIX & _PLACE < _GOALS and not moves[index] & SET_UP:
            keys[index] = turned_key ^ hash_changed(constants, low, high, move)
            prefetch_note(constants, keys[index])


@compiled(ORDER_SIGNATURE)
def order(constants, state, moves, scores, count):  # type: ignore[no-untyped-def]
    """Judge each move by what it leaves; drop those after which the other wins at once."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    other = np.uint64(1 - state[SEAT])
    _fill_keys(constants, state, moves, scores, count)
    kept_count = 0
    for index in range(count):
        move, key = moves[index], scores[index]
        moves[kept_count] = move
        if move & SET_UP:
            scores[kept_count] = 0
        elif np.uint64(move) >> _SIX & _PLACE >= _GOALS:
            scores[kept_count] = 1 << 30
        else:
            new_low, new_high = arranged(low, high, np.uint64(move))
            note = _note_of(constants, new_low, new_high, other, key)
            if note == WON:
                continue
            scores[kept_count] = -points_of(note)
        kept_count += 1
    return kept_count
