"""What is seen at a glance: the loops that one placement closes.

There is no `evaluate`: who gets the longer path, and whose loops are near, is left to
random games, which told more in matches than a search without them.
"""

from __future__ import annotations

import numpy as np

from sarsen.games.vasco.kernel.judging import judge_by_loops
from sarsen.games.vasco.kernel.laying import REFUSED, at, lay, listed_cells, take_back, unpack_table
from sarsen.games.vasco.kernel.layout import (
    CENTRE,
    EDGE_BITS,
    FILLED,
    LABELS,
    LENGTH,
    MATCHING,
    POOL,
    TILES,
)
from sarsen.games.vasco.kernel.moves import is_quiet
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    ONGOING,
    ORDER_SIGNATURE,
    PROVE_SIGNATURE,
    PROVED_LOSS,
    PROVED_WIN,
    RESULT,
    SEAT,
    UNKNOWN,
    WON_BY_FIRST,
)


@compiled(PROVE_SIGNATURE)
def prove(constants, state):  # type: ignore[no-untyped-def]
    """Return whether the seat to move can close a loop of its own, or can only lose at once.

    Wins by the end of the pool are left to the search.
    """
    if state[RESULT] != ONGOING:
        return UNKNOWN
    table = unpack_table(constants, state)
    grid, near = table[0], listed_cells(constants, state)
    tiles = state[TILES]
    room, won = constants[POOL] - tiles, WON_BY_FIRST + state[SEAT]
    is_safe = False
    for index in range(state[LENGTH]):
        cell = np.int64(near[index])
        byte = grid[at(table, cell)]
        if byte & FILLED:
            continue
        if byte & LABELS and is_quiet(table, cell):
            # A tile that forces nothing closes nothing.
            is_safe = True
            continue
        fits = MATCHING[byte & LABELS]
        for rotation in range(6):
            if fits >> rotation & 1:
                count = lay(table, cell, EDGE_BITS[rotation], room, tiles)
                if count == REFUSED:
                    continue
                result = judge_by_loops(constants, table, count)
                take_back(table, count)
                if result == won:
                    return PROVED_WIN
                # At the end of the pool anything may come of it.
                is_safe = is_safe or result in (ONGOING, DRAWN)
    return UNKNOWN if is_safe else PROVED_LOSS


@compiled(ORDER_SIGNATURE)
def order(constants, state, moves, scores, count):  # type: ignore[no-untyped-def]
    """Put moves that force more before those that force less; drop those that lose at once."""
    table = unpack_table(constants, state)
    grid, tiles = table[0], state[TILES]
    room, lost = constants[POOL] - tiles, WON_BY_FIRST + 1 - state[SEAT]
    kept_count = 0
    for index in range(count):
        move = moves[index]
        cell = (move >> 3) - CENTRE
        if grid[at(table, cell)] & LABELS and is_quiet(table, cell):
            moves[kept_count], scores[kept_count] = move, 1
            kept_count += 1
            continue
        laid = lay(table, cell, EDGE_BITS[move & 7], room, tiles)
        result = judge_by_loops(constants, table, laid)
        take_back(table, laid)
        if result == lost:
            continue
        moves[kept_count] = move
        scores[kept_count] = laid if result == ONGOING else 1000 if result != DRAWN else 0
        kept_count += 1
    return kept_count
