"""Druid in batches: moves by the numbers of `games/druid/coding.py`, and its planes."""

from __future__ import annotations

import numpy as np
from numba import int64

from sarsen.core.game import AnyPosition
from sarsen.games.druid.kernel import encode, kernel, large, small
from sarsen.games.druid.kernel.layout import (
    CONSTANTS,
    EAST_LINTEL,
    HEIGHTS,
    LARGE_STRIDE,
    MAX_PLIES,
    OWN,
    OWNERS,
    PASS_TURN,
    PASSES,
    PLIES_LEFT,
    SIZE,
    SQUARE,
    SWAP_SIDES,
    SWAPPED,
)
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
from sarsen.search.contract import INTEGERS, SEAT, Array

_NOWHERE = -1
# Behind the kernel's constants: the cell of each square on the planes.
_CELLS = CONSTANTS


@compiled(int64(INTEGERS), inline="always")
def _stride(constants):  # type: ignore[no-untyped-def]
    return 8 if constants[SIZE] <= 8 else LARGE_STRIDE


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _number_of(constants, state, move):  # type: ignore[no-untyped-def]
    size = constants[SIZE]
    if move & SWAP_SIDES == SWAP_SIDES:
        return 3 * size * size
    if move & PASS_TURN:
        return 3 * size * size + 1
    # The move's bits beside its square are 0, 1 and 2: a stone, a lintel east, one north.
    return (move // EAST_LINTEL) * size * size + constants[_CELLS + (move & SQUARE)]


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _code_of(constants, state, number):  # type: ignore[no-untyped-def]
    size, stride = constants[SIZE], _stride(constants)
    squares = size * size
    if number < 0 or number > 3 * squares + 1:
        return _NOWHERE
    if number >= 3 * squares:
        return SWAP_SIDES if number == 3 * squares else PASS_TURN
    kind, cell = number // squares, number % squares
    return kind * EAST_LINTEL | (size - 1 - cell // size) * stride + cell % size


@compiled(STEP_SIGNATURE)
def _step_small(  # type: ignore[no-untyped-def]
    constants, words, rows, start, actions, rewards, ends, cuts, most_plies, anew
):
    return step_all(
        small.legal,
        small.play,
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


@compiled(STEP_SIGNATURE)
def _step_large(  # type: ignore[no-untyped-def]
    constants, words, rows, start, actions, rewards, ends, cuts, most_plies, anew
):
    return step_all(
        large.legal,
        large.play,
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
    size, stride = constants[SIZE], _stride(constants)
    for game in range(rows.shape[0]):
        state = rows[game, STATE : STATE + words]
        first, second = np.uint64(state[OWN]), np.uint64(state[OWN + 1])
        for row in range(size):
            for column in range(size):
                square = stride * (size - 1 - row) + column
                if size <= 8:
                    bit = np.uint64(square)
                    owner = np.int64((first >> bit) & np.uint64(1))
                    owner += 2 * np.int64((second >> bit) & np.uint64(1))
                else:
                    owner = state[OWNERS + square]
                planes[game, 0, row, column] = owner == 1
                planes[game, 1, row, column] = owner == 2
                planes[game, 2, row, column] = state[HEIGHTS + square]
                planes[game, 3, row, column] = state[SWAPPED]
                planes[game, 4, row, column] = state[PASSES]
                # As the coding counts it, to the last bit.
                share = 1 - (constants[MAX_PLIES] - state[PLIES_LEFT]) / constants[MAX_PLIES]
                planes[game, 5, row, column] = share
                planes[game, 6, row, column] = state[SEAT]


def batch_kernel(position: AnyPosition, most_plies: int) -> BatchKernel:
    """Return the functions for the options of a position, which is the first one."""
    searched = kernel(position)
    start, moves = encode(position), np.zeros(searched.most_moves, np.int64)
    count = searched.legal(searched.constants, start, moves)
    return BatchKernel(
        np.concatenate([searched.constants, _cells(int(searched.constants[SIZE]))]),
        start,
        moves[:count],
        searched.most_moves,
        _step_small if searched.legal is small.legal else _step_large,
        _list_actions,
        _mask,
        _sample,
        _observe,
    )


def _cells(size: int) -> Array:
    stride = 8 if size <= 8 else LARGE_STRIDE
    rows, columns = np.divmod(np.arange(SQUARE + 1), stride)
    return (size - 1 - rows) * size + columns
