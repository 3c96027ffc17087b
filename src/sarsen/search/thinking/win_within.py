"""Search to the end: does one seat force a win with at most so many moves of its own?

Every move of both sides is looked at, so that "no" is as certain as "yes"; a puzzle needs both.
Only moves that the kernel knows to lose at once are left out, since they lose in time for any
question. Needs no evaluation.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from sarsen.search.compiling import compiled, part, tuple_of
from sarsen.search.contract import (
    INTEGERS,
    KEY,
    LEGAL,
    ONGOING,
    ORDER,
    PLAY,
    PROVE,
    PROVED_WIN,
    SEAT,
    UNKNOWN,
)
from sarsen.search.ordering import bring_best, rank_by_order

# Words of `control`. Any thread may set STOP; the search sets it when NODES meets LIMIT.
NODES, LIMIT, STOP = 0, 1, 2
# What the caller sets. With USES_TABLE what was found of a position is kept.
ATTACKER, STATE_SIZE, MAX_MOVES, USES_TABLE = 3, 4, 5, 6
CONTROL_SIZE = 8
NO, YES = 0, 1

# An entry of the table: a key with the number of moves mixed in, and an answer.
ENTRY = 2
MAX_PLIES = 40

GAME = tuple_of(LEGAL, PLAY, ORDER, PROVE, INTEGERS)
WORK = tuple_of(*[INTEGERS] * 6)


@compiled(int64(LEGAL, PLAY, ORDER, PROVE, *[INTEGERS] * 7, int64))
def wins_within(  # type: ignore[no-untyped-def]
    legal, play, order, prove, constants, control, states, moves, scores, table, answers, own
):
    """Return whether the ATTACKER forces a win from the state at the head of `states`.

    Args:
        control: See the words above.
        states, moves, scores: Stacks with a frame a ply; room for `MAX_PLIES`.
        table: A power of two of entries, zeroed or from a search of the same attacker.
        answers: A word a ply: the move that refuted last there, or -1.
        own: The number of the attacker's own moves, the first of which may be due now.

    Returns:
        YES or NO; of no worth when STOP is set.
    """
    game = (legal, play, order, prove, constants)
    return _forces(game, (control, states, moves, scores, table, answers), own, 0)


@compiled(int64(GAME, WORK, int64, int64))
def _forces(game, work, own, ply):  # type: ignore[no-untyped-def]
    """Return the answer for the state at `ply`, which is not over."""
    control, states, moves, scores, table, answers = work
    size, most, attacker = control[STATE_SIZE], control[MAX_MOVES], control[ATTACKER]
    control[NODES] += 1
    if control[NODES] >= control[LIMIT]:
        control[STOP] = 1
    if control[STOP] != 0 or ply + 1 >= MAX_PLIES:
        return NO
    state = states[ply * size : (ply + 1) * size]
    is_attacking = state[SEAT] == attacker
    proved = game[3](game[4], state)
    if proved != UNKNOWN and (proved == PROVED_WIN) != is_attacking:
        return NO
    entry = _entry(table, state[KEY], own)
    if control[USES_TABLE] != 0 and table[entry] == _mixed(state[KEY], own):
        return table[entry + 1]
    frame = ply * most
    count = game[0](game[4], state, moves[frame : frame + most])
    if own > 1:
        end = frame + count
        count = game[2](game[4], state, moves[frame:end], scores[frame:end], count)
        rank_by_order(moves, scores, frame, count, answers[ply])
    found = NO if is_attacking else YES
    for index in range(count):
        if own > 1:
            bring_best(moves, scores, frame, index, count, own)
        move = moves[frame + index]
        result = _play(game, control, states, ply, move)
        left = own - 1 if is_attacking else own
        if result != ONGOING:
            answer = YES if result == attacker + 1 else NO
        elif left == 0:
            answer = NO
        else:
            # Called from here alone: through a function of its own, what is kept on the disk
            # would miss a symbol when it is loaded.
            answer = _forces(game, work, left, ply + 1)
        if control[STOP] != 0:
            return NO
        if answer != found:
            found = answer
            answers[ply] = move
            break
    if control[USES_TABLE] != 0:
        table[entry], table[entry + 1] = _mixed(state[KEY], own), found
    return found


@part
def _play(game, control, states, ply, move):  # type: ignore[no-untyped-def]
    """Play a move from the state at `ply` into the next frame, and return the result there."""
    size = control[STATE_SIZE]
    for word in range(size):
        states[(ply + 1) * size + word] = states[ply * size + word]
    return game[1](game[4], states[(ply + 1) * size : (ply + 2) * size], move)


@part
def _mixed(key, own):  # type: ignore[no-untyped-def]
    return key ^ (own * 0x1F3D5B79)


@part
def _entry(table, key, own):  # type: ignore[no-untyped-def]
    mixed = np.uint64(_mixed(key, own)) * np.uint64(0x9E3779B97F4A7C15)
    return (np.int64(mixed >> np.uint64(24)) & (table.shape[0] // ENTRY - 1)) * ENTRY
