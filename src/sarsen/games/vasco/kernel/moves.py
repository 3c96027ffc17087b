"""The moves: list them, play one, play a game at random."""

from __future__ import annotations

import numpy as np
from numba import int64

from sarsen.games.vasco.kernel.judging import judge_by_loops, judge_by_paths
from sarsen.games.vasco.kernel.laying import (
    REFUSED,
    at,
    base_step,
    lay,
    listed_cells,
    put,
    take_back,
    unpack_table,
)
from sarsen.games.vasco.kernel.layout import (
    ARE_MANY,
    CENTRE,
    EDGE_BITS,
    FILLED,
    LABELS,
    LENGTH,
    LISTED,
    MATCHING,
    POOL,
    SEEN,
    START_KEY,
    TILES,
)
from sarsen.search.chance import draw
from sarsen.search.compiling import compiled, part
from sarsen.search.contract import (
    INTEGERS,
    KEY,
    LEGAL_SIGNATURE,
    ONGOING,
    PLAY_SIGNATURE,
    PLY,
    RESULT,
    ROLLOUT_SIGNATURE,
    SEAT,
    WON_BY_FIRST,
)

# Draws in vain before a random game asks whether there is a legal placement at all.
PATIENCE = 1000
# Draws in vain before a careful player closes a loop for the other.
CARE = 60
_SEAT_KEY = 0x2545F4914F6CDD1D
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_SIX = np.uint64(6)


@compiled(LEGAL_SIGNATURE)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the placements. Two that lead to the same tiles are two (decision 5)."""
    if state[RESULT] != ONGOING:
        return 0
    table = unpack_table(constants, state)
    grid, near = table[0], listed_cells(constants, state)
    room = constants[POOL] - state[TILES]
    count = 0
    for index in range(state[LENGTH]):
        cell = np.int64(near[index])
        byte = grid[at(table, cell)]
        if byte & FILLED:
            continue
        fits = MATCHING[byte & LABELS]
        is_certain = byte & LABELS != 0 and is_quiet(table, cell)
        for rotation in range(6):
            if fits >> rotation & 1 == 0:
                continue
            if not is_certain:
                laid = lay(table, cell, EDGE_BITS[rotation], room, state[TILES])
                if laid == REFUSED:
                    continue
                take_back(table, laid)
            moves[count] = (cell + CENTRE) << 3 | rotation
            count += 1
    return count


@compiled(PLAY_SIGNATURE)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    """Lay a tile and what it forces."""
    table = unpack_table(constants, state)
    tiles = state[TILES]
    cell, edges = (move >> 3) - CENTRE, EDGE_BITS[move & 7]
    count = lay(table, cell, edges, constants[POOL] - tiles, tiles)
    _keep(constants, state, table, count)
    state[KEY] = _turned(state[KEY], table, count)
    state[SEAT] = 1 - state[SEAT]
    state[PLY] += 1
    result = judge_by_loops(constants, table, count)
    # Ruling V7: without a legal move the game ends as if the pool were empty.
    if result == ONGOING and not (state[TILES] < constants[POOL] and _has_a_move(constants, state)):
        result = judge_by_paths(constants, state, table)
    state[RESULT] = result
    return result


@compiled(int64(INTEGERS, INTEGERS, INTEGERS))
def set_up(constants, state, codes):  # type: ignore[no-untyped-def]
    """Lay tiles that match on an empty table; the seat is set already."""
    table = unpack_table(constants, state)
    # The first tile has one place only.
    state[LENGTH] = _list(table, listed_cells(constants, state), 0, 0)
    for index in range(codes.shape[0]):
        put(table, (codes[index] >> 3) - CENTRE, EDGE_BITS[codes[index] & 7], index, 0)
    _keep(constants, state, table, codes.shape[0])
    seat_key = 0 if state[SEAT] else _SEAT_KEY
    state[KEY] = _turned(constants[START_KEY] ^ seat_key, table, codes.shape[0])
    return state[KEY]


@compiled(ROLLOUT_SIGNATURE)
def play_out(constants, state, chance):  # type: ignore[no-untyped-def]
    """Play evenly drawn legal placements to the end: the work of the C loop of the bench."""
    return _random_game(constants, state, chance, False)


@compiled(ROLLOUT_SIGNATURE)
def rollout(constants, state, chance):  # type: ignore[no-untyped-def]
    """Play to the end at random, but let nobody close a loop for the other."""
    return _random_game(constants, state, chance, True)


@part
def _random_game(constants, state, chance, is_careful):  # type: ignore[no-untyped-def]
    """Play random placements to the end.

    A candidate is drawn from the cells in the list and six rotations; one that is refused
    is drawn again, so that what is played is even over the placements allowed.
    """
    table = unpack_table(constants, state)
    grid, near = table[0], listed_cells(constants, state)
    pool, result, seat = constants[POOL], state[RESULT], state[SEAT]
    misses = 0
    while result == ONGOING:
        drawn = np.uint64(draw(chance, 6 * state[LENGTH]))
        index = np.int64(drawn // _SIX)
        rotation = np.int64(drawn % _SIX)
        cell = np.int64(near[index])
        byte = grid[at(table, cell)]
        if byte & FILLED:
            state[LENGTH] -= 1
            near[index] = near[state[LENGTH]]
            continue
        count = REFUSED
        if MATCHING[byte & LABELS] >> rotation & 1:
            count = lay(table, cell, EDGE_BITS[rotation], pool - state[TILES], state[TILES])
        if count != REFUSED:
            result = judge_by_loops(constants, table, count)
            if is_careful and result == WON_BY_FIRST + 1 - seat and misses < CARE:
                take_back(table, count)
                result, count = ONGOING, REFUSED
        if count == REFUSED:
            misses += 1
            if misses == PATIENCE:
                misses = 0
                if not _has_a_move(constants, state):
                    result = judge_by_paths(constants, state, table)
            continue
        misses = 0
        seat = 1 - seat
        _keep(constants, state, table, count)
        state[PLY] += 1
        if result == ONGOING and state[TILES] == pool:
            result = judge_by_paths(constants, state, table)
    state[RESULT] = result
    return result


@part
def is_quiet(table, cell):  # type: ignore[no-untyped-def]
    """Return whether no tile but the one beside a cell is near enough to make it force anything.

    Such a cell may be filled in both ways that match.
    """
    grid = table[0]
    step = base_step(table, cell)
    alone = np.uint8(0)
    if grid[at(table, cell - 1)] & FILLED == 0:
        alone |= _seen(table, cell - 1) | _seen(table, cell - 2) | _seen(table, cell - 1 - step)
    if grid[at(table, cell + 1)] & FILLED == 0:
        alone |= _seen(table, cell + 1) | _seen(table, cell + 2) | _seen(table, cell + 1 - step)
    if grid[at(table, cell + step)] & FILLED == 0:
        below = cell + step
        alone |= _seen(table, below) | _seen(table, below - 1) | _seen(table, below + 1)
    return alone == 0


@part
def _seen(table, cell):  # type: ignore[no-untyped-def]
    return SEEN[table[0][at(table, cell)]]


@part
def _has_a_move(constants, state):  # type: ignore[no-untyped-def]
    """Return whether any placement is legal; one in the open, with the newest tiles, mostly is."""
    table = unpack_table(constants, state)
    grid, near = table[0], listed_cells(constants, state)
    room = constants[POOL] - state[TILES]
    for index in range(state[LENGTH] - 1, -1, -1):
        cell = np.int64(near[index])
        byte = grid[at(table, cell)]
        if byte & FILLED == 0 and byte & LABELS and is_quiet(table, cell):
            return True
    for index in range(state[LENGTH]):
        cell = np.int64(near[index])
        byte = grid[at(table, cell)]
        if byte & FILLED:
            continue
        for rotation in range(6):
            if MATCHING[byte & LABELS] >> rotation & 1:
                count = lay(table, cell, EDGE_BITS[rotation], room, state[TILES])
                if count != REFUSED:
                    take_back(table, count)
                    return True
    return False


@part
def _keep(constants, state, table, count):  # type: ignore[no-untyped-def]
    """Count the tiles laid, and list the empty cells round them.

    The cells round the corners of older tiles are listed already: a tile beside one brings
    those round its far corner, a tile beside two brings none.
    """
    near, laid = listed_cells(constants, state), table[1]
    state[TILES] += count
    length = state[LENGTH]
    for index in range(count):
        cell, before = laid[index] >> 8, laid[index] & LABELS
        if ARE_MANY[SEEN[before]]:
            continue
        step = base_step(table, cell)
        left, right, base = before & 3, before & 12, before & 48
        if right | base == 0:
            for neighbour in (cell + 1, cell + 2, cell + step, cell + step + 1, cell + step + 2):
                length = _list(table, near, length, neighbour)
        if left | base == 0:
            for neighbour in (cell - 1, cell - 2, cell + step, cell + step - 1, cell + step - 2):
                length = _list(table, near, length, neighbour)
        if left | right == 0:
            for neighbour in (cell - 1, cell + 1, cell - step - 1, cell - step, cell - step + 1):
                length = _list(table, near, length, neighbour)
    state[LENGTH] = length


@part
def _list(table, near, length, cell):  # type: ignore[no-untyped-def]
    grid = table[0]
    place = at(table, cell)
    byte = grid[place]
    near[length] = cell
    grid[place] = byte | LISTED
    return length + (byte & LISTED == 0)


@part
def _tile_key(cell, edges):  # type: ignore[no-untyped-def]
    """Return the part of one tile in a key."""
    word = np.uint64((cell + CENTRE) << 6 | np.int64(edges)) * _MIX
    word = (word ^ word >> _HALF) * _MIX
    return np.int64(word ^ word >> _HALF)


@part
def _turned(key, table, count):  # type: ignore[no-untyped-def]
    """Return the key after a move: of tiles, seat and pool, not of which tile was the hand's."""
    grid, laid = table[0], table[1]
    for index in range(count):
        cell = laid[index] >> 8
        key ^= _tile_key(cell, grid[at(table, cell)] & LABELS)
    key ^= _SEAT_KEY
    return key if key != 0 else 1
