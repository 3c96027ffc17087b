"""Visavis in batches: moves by the numbers of `games/visavis/coding.py`, and its planes."""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import int64

from sarsen.core.game import AnyPosition
from sarsen.games.visavis.board import O, X
from sarsen.games.visavis.kernel.layout import (
    BUILT,
    BYTES,
    PLACES,
    SIZE,
    SWAPPED,
    TABLES,
    WIDTH,
    coordinates,
)
from sarsen.games.visavis.kernel.moves import encode, kernel, legal, play
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


@compiled(int64(INTEGERS), inline="always")
def _tables(constants):  # type: ignore[no-untyped-def]
    """Return where the tables begin: the cell of each place of O, then of X; then the reverse."""
    return TABLES + 2 * constants[PLACES] * WIDTH


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _number_of(constants, state, move):  # type: ignore[no-untyped-def]
    places, size = constants[PLACES], constants[SIZE]
    if move < 0 or move >= places:
        return size * size
    side = state[SEAT] ^ state[SWAPPED]
    return constants[_tables(constants) + side * places + move]


@compiled(int64(INTEGERS, INTEGERS, int64), inline="always")
def _code_of(constants, state, number):  # type: ignore[no-untyped-def]
    places, cells = constants[PLACES], constants[SIZE] * constants[SIZE]
    if number == cells:
        return places
    if number < 0 or number > cells:
        return _NOWHERE
    side = state[SEAT] ^ state[SWAPPED]
    return constants[_tables(constants) + 2 * places + side * cells + number]


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
    places, size, tables = constants[PLACES], constants[SIZE], _tables(constants)
    planes[:] = 0
    for game in range(rows.shape[0]):
        state = rows[game, STATE : STATE + words]
        board = state[BYTES:].view(np.uint8)
        cells = planes[game].reshape(-1)
        for at in range(2 * places):
            side = at >= places
            cells[side * size * size + constants[tables + at]] = board[at] == BUILT
        cells[2 * size * size : 3 * size * size] = state[SWAPPED]
        cells[3 * size * size :] = state[SEAT]


def batch_kernel(position: AnyPosition, most_plies: int) -> BatchKernel:
    """Return the functions for the options of a position, which is the first one."""
    searched = kernel(position)
    size = int(searched.constants[SIZE])
    constants = np.concatenate([searched.constants, _numbers(size)])
    start, moves = encode(position), np.zeros(searched.most_moves, np.int64)
    count = legal(constants, start, moves)
    return BatchKernel(
        constants,
        start,
        moves[:count],
        searched.most_moves,
        _step,
        _list_actions,
        _mask,
        _sample,
        _observe,
    )


@cache
def _numbers(size: int) -> Array:
    """Return the numbers of the places of O and X, then the places of all numbers, by side."""
    sides = [
        [(row - 1) * size + column - 1 for column, row in coordinates(size, side)]
        for side in (O, X)
    ]
    places = np.full((2, size * size), _NOWHERE, np.int64)
    for side, numbers in enumerate(sides):
        places[side, numbers] = np.arange(len(numbers))
    return np.concatenate([np.array(sides, np.int64).ravel(), places.ravel()])
