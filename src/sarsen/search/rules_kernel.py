"""Games without a kernel: their own rules in Python, searched by the same sources.

A state of such a game holds the number of a position in a list. The searches that call
its functions are the compiled ones' own Python sources, run by the interpreter: the same
seed and nodes give the same result, a thousand times slower.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.search.chance import draw
from sarsen.search.compiling import is_compiled, is_part
from sarsen.search.contract import (
    DRAWN,
    HEADER,
    KEY,
    ONGOING,
    PLY,
    RESULT,
    SEAT,
    WON_BY_FIRST,
    Array,
    Kernel,
)

# A state's last word: the number of its position.
NUMBER = HEADER
STATE_SIZE = HEADER + 1
# Searches see no more moves of a position than this.
MAX_MOVES = 4096
# Playouts by chance end here, drawn.
MAX_PLAYOUT = 400  # a game that goes round would never end
# A search may hold this many positions; it is asked for fewer nodes.
MAX_POSITIONS = 50_000


class PlainModule:
    """Be a kernel module for positions of any game; one for each thought.

    It keeps every position that the search has seen, so it must not outlive the search.
    """

    def __init__(self) -> None:
        self._positions: list[AnyPosition] = []
        self._children: dict[tuple[int, int], Array] = {}

    def kernel(self, position: AnyPosition) -> Kernel:
        return Kernel(
            constants=np.zeros(1, np.int64),
            state_size=STATE_SIZE,
            most_moves=MAX_MOVES,
            legal=self._legal,
            play=self._play,
            rollout=self._rollout,
            is_compiled=False,
        )

    def encode(self, position: AnyPosition) -> Array:
        self._positions.append(position)
        state = np.zeros(STATE_SIZE, np.int64)
        state[SEAT] = position.seat
        state[RESULT] = result_of(position)
        state[KEY] = _key(position)
        state[NUMBER] = len(self._positions) - 1
        return state

    @property
    def held(self) -> int:
        """How many positions are kept."""
        return len(self._positions)

    def forget(self) -> None:
        """Let go of all positions but the first; states made of them are of no more use."""
        del self._positions[1:]
        self._children.clear()

    def move(self, position: AnyPosition, code: int) -> Any:
        return position.legal_moves()[code]

    def code(self, position: AnyPosition, move: Any) -> int:
        return list(position.legal_moves()).index(move)

    def _legal(self, constants: Array, state: Array, moves: Array) -> int:
        count = min(len(self._positions[state[NUMBER]].legal_moves()), moves.shape[0])
        moves[:count] = np.arange(count)
        return count

    def _play(self, constants: Array, state: Array, move: int) -> int:
        step = (int(state[NUMBER]), int(move))
        child = self._children.get(step)
        if child is None:
            position = self._positions[step[0]]
            child = self.encode(position.play(position.legal_moves()[step[1]]))
            child[PLY] = state[PLY] + 1
            self._children[step] = child
        state[:] = child
        return int(child[RESULT])

    def _rollout(self, constants: Array, state: Array, chance: Array) -> int:
        position = self._positions[state[NUMBER]]
        for _ in range(MAX_PLAYOUT):
            moves = position.legal_moves()
            if not moves:
                return result_of(position)
            position = position.play(moves[draw(chance, len(moves))])
        return DRAWN


def result_of(position: AnyPosition) -> int:
    """Return the result of a position as searches know it: who has more has won."""
    outcome = position.outcome()
    if outcome is None:
        return ONGOING
    first, second = outcome.scores
    if first == second:
        return DRAWN
    return WON_BY_FIRST + int(first < second)


@cache
def interpreted(module: ModuleType) -> dict[str, Any]:
    """Return what a module names, its compiled functions as Python functions that call one another.

    So are parts that it takes from other modules. The functions they have compiled for
    themselves takes no function of a game, and stays compiled.
    """
    names: dict[str, Any] = dict(vars(module))
    for name, value in vars(module).items():
        if not is_compiled(value):
            continue
        if value.__module__ == module.__name__:
            names[name] = FunctionType(value.py_func.__code__, names, name)
        elif is_part(value):
            names[name] = interpreted(sys.modules[value.__module__])[value.__name__]
    return names


def _key(position: AnyPosition) -> int:
    """Hash what a position writes: everything its rules need. Never 0."""
    digest = hashlib.blake2b(position.write().encode("ascii"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True) or 1
