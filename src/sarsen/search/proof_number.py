"""Proof-number search for every game: does one seat force a win, or not?

Depth-first (df-pn, Nagai 2002): a node is left when its proof numbers meet thresholds, and
what is known of it stays in a table of a fixed size, which forgets the cheapest entries
first. The question has two answers, so a draw takes two: neither seat forces a win.
A position without a key cannot be kept, and is not searched.
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
    PLAY,
    PROVE,
    PROVED_LOSS,
    PROVED_WIN,
    RESULT,
    SEAT,
    UNKNOWN,
)

# Words of `control`. Any thread may set STOP; the search sets it when NODES meets LIMIT.
NODES, LIMIT, STOP = 0, 1, 2
# What the caller sets; ATTACKER is the seat whose win is asked for.
ATTACKER, STATE_SIZE, MAX_MOVES, MAX_PLIES, IS_CYCLIC = 3, 4, 5, 6, 7
# The numbers of the root: how much is left to prove, and to disprove.
PROOF, DISPROOF = 8, 9
# The longest line met.
DEEPEST = 10
CONTROL_SIZE = 16

# A proof number that nothing meets.
NEVER = 1 << 40

# An entry of the table: its key, its two numbers, and the nodes it took.
ENTRY = 4
BUCKET = 4 * ENTRY

GAME = tuple_of(LEGAL, PLAY, PROVE, INTEGERS)
WORK = tuple_of(*[INTEGERS] * 5)


@compiled(int64(LEGAL, PLAY, PROVE, *[INTEGERS] * 6))
def settle(legal, play, prove, constants, control, states, table, moves, stack):  # type: ignore[no-untyped-def]
    """Ask whether the ATTACKER forces a win from the state at the head of `states`.

    Args:
        control: See the words above.
        states: Room for 1 + MAX_PLIES states.
        table: A power of two of buckets, zeroed or from the same question.
        moves: Room for the moves of one position.
        stack: Room for four words a move on the whole path.

    Returns:
        1 proved, -1 disproved, 0 open.
    """
    game = (legal, play, prove, constants)
    work = (control, states, table, moves, stack)
    _settle(game, work, 0, 0, NEVER, NEVER)
    if control[PROOF] == 0:
        return 1
    return -1 if control[DISPROOF] == 0 else 0


@compiled(int64(GAME, WORK, int64, int64, int64, int64))
def _settle(game, work, ply, base, most_proof, most_disproof):  # type: ignore[no-untyped-def]
    """Work on the state at `ply` until a number meets its threshold; keep what was found."""
    control, states, table, _, stack = work
    size = control[STATE_SIZE]
    state = states[ply * size : (ply + 1) * size]
    key, is_attacking = state[KEY], state[SEAT] == control[ATTACKER]
    before = control[NODES]
    control[DEEPEST] = max(control[DEEPEST], ply)
    count = _grow(game, work, ply, base)
    while True:
        least, total, best, second, left = _weigh(table, stack, base, count, is_attacking)
        proof, disproof = (least, total) if is_attacking else (total, least)
        if control[NODES] >= control[LIMIT]:
            control[STOP] = 1
        if proof >= most_proof or disproof >= most_disproof or control[STOP] != 0:
            break
        row = base + 4 * best
        if stack[row + 1] == 0 or ply + 1 >= control[MAX_PLIES]:
            # Too deep to look: neither proved nor disproved, and never the way again.
            stack[row + 1], stack[row + 2], stack[row + 3] = 0, NEVER, NEVER
            continue
        # The child may use what the next best leaves, and a quarter more, so that
        # the search does not swing between two.
        own_limit = most_proof if is_attacking else most_disproof
        own_share = min(own_limit, second + 1 + second // 4)
        their_limit = most_disproof if is_attacking else most_proof
        their_share = their_limit - max(left - 1, 0)
        low, high = (own_share, their_share) if is_attacking else (their_share, own_share)
        child = states[(ply + 1) * size : (ply + 2) * size]
        for word in range(size):
            child[word] = state[word]
        game[1](game[3], child, stack[row])
        _settle(game, work, ply + 1, base + 4 * count, low, high)
    _keep(table, key, proof, disproof, control[NODES] - before)
    if ply == 0:
        control[PROOF], control[DISPROOF] = proof, disproof
    return 0


@compiled(int64(INTEGERS, int64))
def look_up(table, key):  # type: ignore[no-untyped-def]
    """Return where a key stands in the table, or -1."""
    start = _bucket(table, key)
    for entry in range(start, start + BUCKET, ENTRY):
        if table[entry] == key:
            return entry
    return -1


@part
def _bucket(table, key):  # type: ignore[no-untyped-def]
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return (np.int64(mixed >> np.uint64(24)) & (table.shape[0] // BUCKET - 1)) * BUCKET


@part
def _keep(table, key, proof, disproof, nodes):  # type: ignore[no-untyped-def]
    """Put numbers into the table; of a full bucket the cheapest entry goes."""
    start = _bucket(table, key)
    place = start
    for entry in range(start, start + BUCKET, ENTRY):
        if table[entry] in (key, 0):
            place = entry
            break
        if table[entry + 3] < table[place + 3]:
            place = entry
    if table[place] == key:
        nodes += table[place + 3]
    table[place], table[place + 1], table[place + 2] = key, proof, disproof
    table[place + 3] = nodes


@part
def _numbers_of_result(result, attacker):  # type: ignore[no-untyped-def]
    return (0, NEVER) if result == attacker + 1 else (NEVER, 0)


@part
def _numbers_of_proof(proved, seat, attacker):  # type: ignore[no-untyped-def]
    """Turn what `prove` says of a seat into numbers; (1, 1) when it says nothing."""
    if proved == UNKNOWN:
        return (1, 1)
    won = proved == (PROVED_WIN if seat == attacker else PROVED_LOSS)
    return (0, NEVER) if won else (NEVER, 0)


@part
def _is_repetition(control, states, key, ply):  # type: ignore[no-untyped-def]
    if control[IS_CYCLIC] == 0:
        return False
    for earlier in range(ply + 1):  # noqa: SIM110 (Numba compiles no generators)
        if states[earlier * control[STATE_SIZE] + KEY] == key:
            return True
    return False


@part
def _grow(game, work, ply, base):  # type: ignore[no-untyped-def]
    """List the moves of the state at `ply` with what is known of each child.

    A row of `stack` is a move, the child's key, and its numbers while no table knows it.
    """
    legal, play, prove, constants = game
    control, states, table, moves, stack = work
    size = control[STATE_SIZE]
    state = states[ply * size : (ply + 1) * size]
    child = states[(ply + 1) * size : (ply + 2) * size]
    count = legal(constants, state, moves)
    for index in range(count):
        for word in range(size):
            child[word] = state[word]
        play(constants, child, moves[index])
        control[NODES] += 1
        key = child[KEY]
        if child[RESULT] != ONGOING:
            numbers = _numbers_of_result(child[RESULT], control[ATTACKER])
            key = 0
        elif _is_repetition(control, states, key, ply):
            numbers = (NEVER, 0)
            key = 0
        else:
            numbers = (1, 1)
            if look_up(table, key) < 0:
                proved = prove(constants, child)
                numbers = _numbers_of_proof(proved, child[SEAT], control[ATTACKER])
                if proved != UNKNOWN:
                    _keep(table, key, numbers[0], numbers[1], 1)
                    key = 0
        row = base + 4 * index
        stack[row], stack[row + 1] = moves[index], key
        stack[row + 2], stack[row + 3] = numbers
    return count


@part
def _weigh(table, stack, base, count, is_attacking):  # type: ignore[no-untyped-def]
    """Sum up children: both numbers, the best child, the next best, and how many are left.

    The number that all children share is their greatest plus one for each other that is
    left, not their sum: children that lead to the same positions are not counted twice.
    """
    least, second, best, greatest, left = NEVER, NEVER, -1, 0, 0
    other = 0
    for index in range(count):
        row = base + 4 * index
        entry = look_up(table, stack[row + 1]) if stack[row + 1] != 0 else -1
        proof, disproof = stack[row + 2], stack[row + 3]
        if entry >= 0:
            proof, disproof = table[entry + 1], table[entry + 2]
        phi, delta = (proof, disproof) if is_attacking else (disproof, proof)
        if best < 0 or phi < least or (phi == least and delta < other):
            second = least if best >= 0 else NEVER
            least, best, other = phi, index, delta
        elif phi < second:
            second = phi
        if delta > 0:
            left += 1
            greatest = max(greatest, delta)
    total = min(greatest + max(left - 1, 0), NEVER) if greatest < NEVER else NEVER
    return least, total, best, second, left
