"""Between the rules of Gyges and the kernel: positions and states, moves and codes."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.gyges.board import GOALS, PLACES, SLOTS, SOUTH, Move, Rings, SetUp
from sarsen.games.gyges.kernel.tables import HASH_NORTH, HASHES, constants
from sarsen.games.gyges.kernel.turns import HIGH, LOW, MEMORY, NOWHERE, SET_UP, STATE_SIZE, remember
from sarsen.games.gyges.routes import moved
from sarsen.games.gyges.rules import SET_UPS, EndReason, GygesPosition
from sarsen.search.contract import DRAWN, KEY, RESULT, SEAT, Array


def encode(position: AnyPosition) -> Array:
    """Turn a position of the rules into a state.

    Of more than MEMORY arrangements that stood, those most like the present one are kept;
    `knows_all` tells whether any was left out.
    """
    gyges_position = cast(GygesPosition, position)
    state = np.zeros(STATE_SIZE, np.int64)
    state[SEAT] = gyges_position.seat
    state[LOW] = sum((gyges_position.rings[slot] & 1) << slot for slot in SLOTS)
    state[HIGH] = sum((gyges_position.rings[slot] >> 1) << slot for slot in SLOTS)
    state[KEY] = hash_of(gyges_position.rings) ^ (
        0 if gyges_position.seat == SOUTH else int(constants()[HASH_NORTH])
    )
    if gyges_position.ending is not EndReason.NONE:
        state[RESULT] = (
            DRAWN if gyges_position.ending is EndReason.DEADLOCK else 2 - gyges_position.seat
        )
    nearest = sorted(
        gyges_position.stood, key=lambda rings: (_unlike(rings, gyges_position.rings), rings)
    )[:MEMORY]
    # The nearest last: a search that plays on forgets the first ones first.
    for rings in reversed(nearest):
        remember(state, hash_of(rings))
    return state


def knows_all(position: GygesPosition) -> bool:
    """Return whether a state has room for all that stood: else it is no ground for a proof."""
    return len(position.stood) <= MEMORY


def hash_of(rings: Rings) -> int:
    """Return the hash of an arrangement."""
    key = 0
    for slot in SLOTS:
        if rings[slot]:
            key ^= int(constants()[HASHES + rings[slot] * 36 + slot])
    return key


def move(position: AnyPosition, code: int) -> Move:
    """Turn a kernel's move into the move of the rules with the same result."""
    gyges_position = cast(GygesPosition, position)
    if code & SET_UP:
        return SetUp(SET_UPS[code - SET_UP])
    return _by_result(gyges_position)[result_of(gyges_position, code)]


def code(position: AnyPosition, legal_move: Move) -> int:
    """Turn a single move of the rules into the kernel's. The pair of `move`."""
    return _code(legal_move)


# Most of the time of a quick thought went into finding sixty candidates one by one.
@lru_cache(maxsize=4)
def _by_result(position: GygesPosition) -> dict[Rings | None, Move]:
    """List the moves of the rules by their results; each result has one."""
    return {
        result_of(position, _code(legal_move)): legal_move for legal_move in position.legal_moves()
    }


def _code(legal_move: Move) -> int:
    if isinstance(legal_move, SetUp):
        return SET_UP | SET_UPS.index(legal_move.rings)
    relocation = PLACES[legal_move.relocation] if legal_move.relocation else NOWHERE
    return PLACES[legal_move.stops[0]] | PLACES[legal_move.stops[-1]] << 6 | relocation << 12


def result_of(position: GygesPosition, code: int) -> Rings | None:
    """Return the arrangement after a ring's move, or None for a win."""
    start, end, relocation = code & 63, (code >> 6) & 63, code >> 12
    if end in GOALS:
        return None
    return moved(position.rings, start, end, None if relocation == NOWHERE else relocation)


def _unlike(rings: Rings, others: Rings) -> int:
    return sum(ring != other for ring, other in zip(rings, others, strict=True))
