"""Gyges in batches: moves by the numbers of `games/gyges/coding.py`, and its planes.

A search forgets arrangements that stood long ago, and looks them up one by one. Here a game
keeps all of them in a table, and the kernel's own memory stays empty.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, int64, uint64, void

from sarsen.core.game import AnyPosition
from sarsen.games.gyges.coding import ACTIONS as MAX_ACTIONS
from sarsen.games.gyges.coding import CELLS, GOAL_MOVES, MOVES, RELOCATIONS, SIDE
from sarsen.games.gyges.kernel import encode, kernel
from sarsen.games.gyges.kernel.reach import value_at
from sarsen.games.gyges.kernel.tables import HASH_NORTH
from sarsen.games.gyges.kernel.turns import (
    FILTER,
    HIGH,
    LOW,
    MET,
    NOWHERE,
    SET_UP,
    STATE_SIZE,
    STOOD,
    arrangement_of,
    hash_changed,
    legal,
    play,
)
from sarsen.games.gyges.kernel.ways import list_as_rules_do
from sarsen.search.batches import (
    LIST_SIGNATURE,
    MASK_SIGNATURE,
    OBSERVE_SIGNATURE,
    SAMPLE_SIGNATURE,
    STATE,
    STEP_SIGNATURE,
    BatchKernel,
    list_all,
    mask_all,
    sample_all,
    step_all,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    INTEGERS,
    KEY,
    LEGAL_SIGNATURE,
    ONGOING,
    PLAY_SIGNATURE,
    RESULT,
    SEAT,
)

_NO_MOVE = -1
_GOAL = 36
# Behind the kernel's state: who moved last, 1 + the slot that the winner left, and a table of
# the hashes of all arrangements that stood, of a power of two words.
_MOVED, _WON_FROM, _ALL_STOOD = STATE_SIZE, STATE_SIZE + 1, STATE_SIZE + 2


@compiled(int64(int64), inline="always")
def _cell(slot):  # type: ignore[no-untyped-def]
    """Return the cell of a slot, and the slot of a cell: row 6 is the top one."""
    return slot + SIDE * (SIDE - 1 - 2 * (slot // SIDE))


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _number_of(constants, state, move):  # type: ignore[no-untyped-def]
    if move & SET_UP:
        return move - SET_UP
    start, end, slot = _cell(move & 63), move >> 6 & 63, move >> 12
    if end >= _GOAL:
        return GOAL_MOVES + start
    way = start * CELLS + _cell(end)
    return MOVES + way if slot == NOWHERE else RELOCATIONS + way * CELLS + _cell(slot)


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _code_of(constants, state, number):  # type: ignore[no-untyped-def]
    if number < 0 or number >= MAX_ACTIONS:
        return _NO_MOVE
    if number < MOVES:
        return SET_UP | number
    slot = NOWHERE
    if number >= RELOCATIONS:
        way, slot = (number - RELOCATIONS) // CELLS, _cell((number - RELOCATIONS) % CELLS)
    elif number >= GOAL_MOVES:
        return _cell(number - GOAL_MOVES) | (_GOAL + 1 - state[SEAT]) << 6 | NOWHERE << 12
    else:
        way = number - MOVES
    return _cell(way // CELLS) | _cell(way % CELLS) << 6 | slot << 12


@compiled(boolean(INTEGERS, uint64))
def _stood_ever(state, arrangement):  # type: ignore[no-untyped-def]
    size = state.shape[0] - _ALL_STOOD
    place = np.int64(arrangement) & (size - 1)
    while state[_ALL_STOOD + place] != 0:
        if state[_ALL_STOOD + place] == np.int64(arrangement):
            return True
        place = (place + 1) & (size - 1)
    return False


@compiled(void(INTEGERS, uint64))
def _keep(state, arrangement):  # type: ignore[no-untyped-def]
    size = state.shape[0] - _ALL_STOOD
    place = np.int64(arrangement) & (size - 1)
    while state[_ALL_STOOD + place] != 0:
        place = (place + 1) & (size - 1)
    state[_ALL_STOOD + place] = np.int64(arrangement)


@compiled(LEGAL_SIGNATURE)
def _list_new(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the moves that repeat no arrangement at all (Ruling G5)."""
    count = legal(constants, state, moves)
    if count and moves[0] & SET_UP:
        return count
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    now, kept = arrangement_of(constants, state), 0
    for index in range(count):
        move = moves[index]
        is_new = move >> 6 & 63 >= _GOAL
        if not is_new:
            changed = np.uint64(hash_changed(constants, low, high, np.uint64(move)))
            is_new = not _stood_ever(state, now ^ changed)
        moves[kept] = move
        kept += is_new
    return kept


@compiled(LEGAL_SIGNATURE)
def _list(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the moves; where a player has none, the other one's, or the game is drawn."""
    count = _list_new(constants, state, moves)
    # Ruling G6: a player without a move is skipped; the kernel saw to that as if any arrangement
    # might stand again.
    if count == 0 and state[RESULT] == ONGOING:
        state[SEAT] ^= 1
        state[KEY] ^= constants[HASH_NORTH]
        count = _list_new(constants, state, moves)
        if count == 0:
            state[RESULT], state[SEAT] = DRAWN, 1 - state[_MOVED]
    list_as_rules_do(constants, state, moves, count)
    return count


@compiled(PLAY_SIGNATURE)
def _play(constants, state, move):  # type: ignore[no-untyped-def]
    state[_MOVED] = state[SEAT]
    if not move & SET_UP and move >> 6 & 63 >= _GOAL:
        state[_WON_FROM] = 1 + (move & 63)
        return play(constants, state, move)
    result = play(constants, state, move)
    if state[STOOD]:
        _keep(state, arrangement_of(constants, state))
        # The kernel remembers nothing, so it lists what repeats an arrangement, too.
        for word in range(STOOD, MET + FILTER):
            state[word] = 0
    return result


@compiled(STEP_SIGNATURE)
def _step(  # type: ignore[no-untyped-def]
    constants, words, rows, start, actions, rewards, ends, cuts, most_plies, anew
):
    return step_all(
        _list,
        _play,
        _code_of,
        _number_of,
        constants,
        words,
        rows,
        start,
        actions,
        rewards,
        ends,
        cuts,
        most_plies,
        anew,
    )


@compiled(LIST_SIGNATURE)
def _list_actions(constants, words, rows, actions):  # type: ignore[no-untyped-def]
    list_all(_number_of, constants, words, rows, actions)


@compiled(MASK_SIGNATURE)
def _mask(constants, words, rows, mask):  # type: ignore[no-untyped-def]
    mask_all(_number_of, constants, words, rows, mask)


@compiled(SAMPLE_SIGNATURE)
def _sample(constants, words, rows, actions):  # type: ignore[no-untyped-def]
    sample_all(_number_of, constants, words, rows, actions)


@compiled(OBSERVE_SIGNATURE)
def _observe(constants, words, rows, planes):  # type: ignore[no-untyped-def]
    for game in range(rows.shape[0]):
        state, cells = rows[game, STATE : STATE + words], planes[game].reshape(-1)
        low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
        for slot in range(CELLS):
            value = value_at(low, high, np.uint64(slot))
            # A ring that has won stands on the goal.
            if state[_WON_FROM] == slot + 1:
                value = np.uint64(0)
            for plane in range(3):
                cells[plane * CELLS + _cell(slot)] = value == np.uint64(plane + 1)
        cells[3 * CELLS :] = state[SEAT]


def batch_kernel(position: AnyPosition, most_plies: int) -> BatchKernel:
    """Return the functions; `position` is the first one of every game.

    Args:
        most_plies: No game is longer.
    """
    searched = kernel(position)
    start = np.zeros(_ALL_STOOD + (1 << (2 * most_plies).bit_length()), np.int64)
    start[:STATE_SIZE] = encode(position)
    moves = np.zeros(searched.most_moves, np.int64)
    count = legal(searched.constants, start, moves)
    return BatchKernel(
        searched.constants,
        start,
        moves[:count],
        searched.most_moves,
        _step,
        _list_actions,
        _mask,
        _sample,
        _observe,
    )
