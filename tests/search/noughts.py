"""Noughts and crosses, for tests: a kernel, the same game as rules, and its truth by minimax.

With the option `twice` the second player's every second turn has two moves, so that seats
do not alternate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import njit

from sarsen.core.errors import IllegalMove, UnreadableMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Value
from sarsen.search.contract import (
    DRAWN,
    EVALUATE_SIGNATURE,
    HEADER,
    KEY,
    LEGAL_SIGNATURE,
    ONGOING,
    PLAY_SIGNATURE,
    PLY,
    RESULT,
    SEAT,
    Array,
    Kernel,
)

LINES = (
    *((row, row + 1, row + 2) for row in (0, 3, 6)),
    *((column, column + 3, column + 6) for column in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)
_LINES = np.array(LINES, np.int64)


@dataclass(frozen=True)
class Noughts:
    """A position: nine cells with 0, 1 for the first seat or 2; the moves say whose turn it is."""

    cells: tuple[int, ...] = (0,) * 9
    ply: int = 0
    is_twice: bool = False

    @property
    def game(self) -> Game:
        return GAME

    @property
    def options(self) -> Mapping[str, Value]:
        return {"twice": self.is_twice}

    @property
    def seat(self) -> int:
        return seat_of(self.ply, self.is_twice)

    @property
    def sides(self) -> tuple[str, ...]:
        return ("O", "X")

    def outcome(self) -> Outcome | None:
        for seat in (0, 1):
            if any(all(self.cells[cell] == seat + 1 for cell in line) for line in LINES):
                return Outcome((1.0 - seat, float(seat)), "Three in a row.")
        return None if 0 in self.cells else Outcome((0.5, 0.5), "The board is full.")

    def legal_moves(self) -> Sequence[int]:
        if self.outcome() is not None:
            return ()
        return [cell for cell in range(9) if self.cells[cell] == 0]

    def play(self, move: int) -> Noughts:
        if move not in self.legal_moves():
            raise IllegalMove("That cell is taken.", code="noughts.taken")
        cells = (*self.cells[:move], self.seat + 1, *self.cells[move + 1 :])
        return Noughts(cells, self.ply + 1, self.is_twice)

    def parse(self, text: str) -> int:
        if not text.isdigit():
            raise UnreadableMove(f"{text!r} is not a cell.", code="noughts.unreadable")
        return int(text)

    def format(self, move: int) -> str:
        return str(move)

    def effects(self) -> tuple[str, ...]:
        return ()

    def write(self) -> str:
        return f"{int(self.is_twice)}{self.ply}{''.join(map(str, self.cells))}"


@dataclass(frozen=True)
class NoughtsGame:
    """Start games of noughts and crosses."""

    info: GameInfo

    def start(self, options: str | Mapping[str, object] = "") -> Noughts:
        return Noughts(is_twice=options == "-twice")

    def read(self, line: str) -> Noughts:
        return Noughts(tuple(map(int, line[2:])), int(line[1]), line[0] == "1")


GAME: Game = NoughtsGame(
    GameInfo("noughts", "Noughts", ("O", "X"), "traditional", 1300, 1, (), "Three in a row.")
)


def seat_of(ply: int, is_twice: bool) -> int:
    return int(ply % 4 in (1, 2)) if is_twice else ply % 2


@cache
def truth(position: Noughts) -> tuple[float, int]:
    """Return the score of the seat to move by plain minimax, and the plies to a forced end.

    Winners hurry, losers delay; a draw lasts as long as it lasts.
    """
    outcome = position.outcome()
    if outcome is not None:
        return outcome.scores[position.seat], 0
    values = [value_of(position, move) for move in position.legal_moves()]
    best = max(score for score, _ in values)
    plies = [plies for score, plies in values if score == best]
    return best, (min(plies) if best == 1 else max(plies))


def value_of(position: Noughts, move: int) -> tuple[float, int]:
    """Return the truth of a move for who makes it."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.scores[position.seat], 1
    score, plies = truth(after)
    return (score if after.seat == position.seat else 1 - score), plies + 1


@njit(LEGAL_SIGNATURE, cache=True, nogil=True)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    if state[RESULT] != ONGOING:
        return 0
    count = 0
    for cell in range(9):
        if state[HEADER + cell] == 0:
            moves[count] = cell
            count += 1
    return count


@njit(PLAY_SIGNATURE, cache=True, nogil=True)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    own = state[SEAT] + 1
    state[HEADER + move] = own
    state[PLY] += 1
    place = state[PLY]
    if constants[0] != 0:
        state[SEAT] = 1 if place % 4 in (1, 2) else 0
    else:
        state[SEAT] = place % 2
    key = place + 1
    for cell in range(9):
        key = 3 * key + state[HEADER + cell]
    state[KEY] = key
    for line in _LINES:
        if (
            state[HEADER + line[0]] == own
            and state[HEADER + line[1]] == own
            and state[HEADER + line[2]] == own
        ):
            state[RESULT] = own
            return own
    if place == 9:
        state[RESULT] = DRAWN
    return state[RESULT]


@njit(EVALUATE_SIGNATURE, cache=True, nogil=True)
def evaluate(constants, state):  # type: ignore[no-untyped-def]
    centre = state[HEADER + 4]
    if centre == 0:
        return 0
    return 300 if centre == state[SEAT] + 1 else -300


class NoughtsModule:
    """The kernel module; `is_compiled=False` gives the same functions as plain Python."""

    def __init__(self, *, is_compiled: bool = True, judges: bool = True) -> None:
        self._is_compiled = is_compiled
        self._judges = judges

    def kernel(self, position: Any) -> Kernel:
        parts = [legal, play, evaluate]
        if not self._is_compiled:
            parts = [part.py_func for part in parts]
        return Kernel(
            constants=np.array([position.is_twice], np.int64),
            state_size=HEADER + 9,
            most_moves=9,
            legal=parts[0],
            play=parts[1],
            evaluate=parts[2] if self._judges else None,
            is_compiled=self._is_compiled,
        )

    def encode(self, position: Any) -> Array:
        state = np.zeros(HEADER + 9, np.int64)
        state[HEADER:] = position.cells
        state[SEAT], state[PLY] = position.seat, position.ply
        outcome = position.outcome()
        if outcome is not None:
            state[RESULT] = DRAWN if outcome.winner is None else outcome.winner + 1
        key = position.ply + 1
        for cell in position.cells:
            key = 3 * key + cell
        state[KEY] = key
        return state

    def move(self, position: Any, code: int) -> int:
        return int(code)

    def code(self, position: Any, move: int) -> int:
        return move
