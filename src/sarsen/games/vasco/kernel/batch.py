"""Vasco in batches: moves by the numbers of `games/vasco/coding.py`, and its planes."""

from __future__ import annotations

import numpy as np
from numba import int64

from sarsen.core.game import AnyPosition
from sarsen.games.vasco.coding import coding
from sarsen.games.vasco.kernel import encode, kernel
from sarsen.games.vasco.kernel.laying import at, listed_cells, unpack_table
from sarsen.games.vasco.kernel.layout import (
    CENTRE,
    EDGE_BITS,
    FILLED,
    LABELS,
    LENGTH,
    POOL,
    STEPS,
    STRIDE,
    TILES,
)
from sarsen.games.vasco.kernel.moves import legal, play
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
from sarsen.search.contract import INTEGERS, SEAT

_NOWHERE = -1
_ROTATIONS = 6
# Behind the kernel's constants: the rows and columns of the planes.
_ROWS = STEPS + 512
_COLUMNS = _ROWS + 1
# By labels: the rotation of a tile.
_ROTATION_OF = np.zeros(64, np.int64)
_ROTATION_OF[EDGE_BITS] = np.arange(_ROTATIONS)


@compiled(int64(INTEGERS, int64), inline="always")
def _place_of(constants, cell):  # type: ignore[no-untyped-def]
    """Return the place of a cell on a plane, row by row; the first tile stands in the middle."""
    stride, rows, columns = constants[STRIDE], constants[_ROWS], constants[_COLUMNS]
    # Never negative, so that the division is plain.
    from_corner = cell + stride * (rows // 2) + columns // 2
    return from_corner // stride * columns + from_corner % stride


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _number_of(constants, state, move):  # type: ignore[no-untyped-def]
    cells = constants[_ROWS] * constants[_COLUMNS]
    return (move & 7) * cells + _place_of(constants, (move >> 3) - CENTRE)


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _code_of(constants, state, number):  # type: ignore[no-untyped-def]
    rows, columns = constants[_ROWS], constants[_COLUMNS]
    cells = rows * columns
    if number < 0 or number >= _ROTATIONS * cells:
        return _NOWHERE
    rotation, place = number // cells, number % cells
    y, x = place // columns - rows // 2, place % columns - columns // 2
    return (y * constants[STRIDE] + x + CENTRE) << 3 | rotation


@compiled(STEP_SIGNATURE)
def _step(  # type: ignore[no-untyped-def]
    constants, words, rows, start, actions, rewards, ends, cuts, most_plies, anew
):
    return step_all(
        legal,
        play,
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
    cells = constants[_ROWS] * constants[_COLUMNS]
    for game in range(rows.shape[0]):
        state, values = rows[game, STATE : STATE + words], planes[game].reshape(-1)
        table = unpack_table(constants, state)
        grid, near = table[0], listed_cells(constants, state)
        values[: _ROTATIONS * cells] = 0
        # Every cell with a tile was near another one, or is the first one's.
        for index in range(state[LENGTH]):
            cell = np.int64(near[index])
            byte = grid[at(table, cell)]
            if byte & FILLED:
                rotation = _ROTATION_OF[byte & LABELS]
                values[rotation * cells + _place_of(constants, cell)] = 1
        left = (constants[POOL] - state[TILES]) / constants[POOL]
        values[_ROTATIONS * cells : (_ROTATIONS + 1) * cells] = left
        values[(_ROTATIONS + 1) * cells :] = state[SEAT]


def batch_kernel(position: AnyPosition, most_plies: int) -> BatchKernel:
    """Return the functions for the pool of a position, which is the first one."""
    searched, numbered = kernel(position), coding(position)
    start, moves = encode(position), np.zeros(searched.most_moves, np.int64)
    count = legal(searched.constants, start, moves)
    return BatchKernel(
        np.concatenate([searched.constants, np.array([numbered.rows, numbered.columns])]),
        start,
        moves[:count],
        searched.most_moves,
        _step,
        _list_actions,
        _mask,
        _sample,
        _observe,
    )
