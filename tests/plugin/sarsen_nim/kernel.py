"""Nim for the compiled searches: one number a row in the state, a move is 16 * row + sticks."""

from __future__ import annotations

from typing import Any

import numpy as np

from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    HEADER,
    KEY,
    LEGAL_SIGNATURE,
    ONGOING,
    PLAY_SIGNATURE,
    PLY,
    RESULT,
    SEAT,
    WON_BY_FIRST,
    Array,
    Kernel,
)
from sarsen_nim.rules import NimPosition, Taking

ROWS, ROW = 6, 16
MAX_MOVES = 36


def kernel(position: NimPosition) -> Kernel:
    constants = np.array([position.terms.flag("misere")], np.int64)
    return Kernel(constants, HEADER + ROWS, MAX_MOVES, legal, play)


def encode(position: NimPosition) -> Array:
    state = np.zeros(HEADER + ROWS, np.int64)
    state[HEADER : HEADER + len(position.rows)] = position.rows
    state[SEAT], state[KEY] = position.seat, 1 + position.seat
    for left in state[HEADER:]:
        state[KEY] = state[KEY] * ROW + left
    return state


def move(position: NimPosition, code: int) -> Taking:
    return Taking(*divmod(int(code), ROW))


def code(position: NimPosition, move: Any) -> int:
    return int(move.row * ROW + move.sticks)


@compiled(LEGAL_SIGNATURE)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    count = 0
    for row in range(ROWS):
        for sticks in range(1, state[HEADER + row] + 1):
            moves[count] = row * ROW + sticks
            count += 1
    return count


@compiled(PLAY_SIGNATURE)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    state[HEADER + move // ROW] -= move % ROW
    state[SEAT] = 1 - state[SEAT]
    state[PLY] += 1
    state[KEY] = 1 + state[SEAT]
    left = 0
    for row in range(ROWS):
        left += state[HEADER + row]
        state[KEY] = state[KEY] * ROW + state[HEADER + row]
    if left > 0:
        state[RESULT] = ONGOING
    else:
        winner = state[SEAT] if constants[0] else 1 - state[SEAT]
        state[RESULT] = WON_BY_FIRST + winner
    return state[RESULT]
