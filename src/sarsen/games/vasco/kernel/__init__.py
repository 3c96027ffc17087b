"""Vasco for searches: the table on a torus; tiles are placed and taken back in place.

Open `layout` first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.vasco.board import ROTATIONS, place_of
from sarsen.games.vasco.kernel import moves, threats
from sarsen.games.vasco.kernel.layout import CENTRE, STATE_SIZE, STRIDE, constants
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.rules import VascoPosition
from sarsen.search.contract import DRAWN, ONGOING, RESULT, SEAT, WON_BY_FIRST, Array, Kernel


def kernel(position: AnyPosition) -> Kernel:
    """Return the kernel for the pool of a position."""
    assert isinstance(position, VascoPosition)
    table = constants(position.size)
    return Kernel(
        table,
        int(table[STATE_SIZE]),
        # No more cells are near the tiles, each with six rotations.
        6 * (2 * position.size + 14),
        moves.legal,
        moves.play,
        order=threats.order,
        prove=threats.prove,
        rollout=moves.rollout,
    )


def encode(position: AnyPosition) -> Array:
    """Turn a position into a state."""
    assert isinstance(position, VascoPosition)
    table = constants(position.size)
    state = np.zeros(table[STATE_SIZE], np.int64)
    state[SEAT] = position.seat
    moves.set_up(table, state, np.array(list(_tile_codes(position)), np.int64))
    outcome = position.outcome()
    state[RESULT] = ONGOING
    if outcome is not None:
        state[RESULT] = DRAWN if outcome.winner is None else WON_BY_FIRST + outcome.winner
    return state


def move(position: AnyPosition, code: int) -> Move:
    """Turn a code into the move of the rules."""
    stride = _stride(position)
    y, x = divmod((code >> 3) - CENTRE + stride // 2, stride)
    return Move(x - stride // 2, y, ROTATIONS[code & 7])


def code(position: AnyPosition, move: Move) -> int:
    """Turn a move of the rules into its code. The pair of `move`."""
    stride = _stride(position)
    return (move.y * stride + move.x + CENTRE) << 3 | ROTATIONS.index(move.rotation)


def _tile_codes(position: VascoPosition) -> Iterator[int]:
    for cell in sorted(position.tiles):
        yield code(position, Move(*place_of(cell), position.tiles[cell]))


def _stride(position: AnyPosition) -> int:
    assert isinstance(position, VascoPosition)
    return int(constants(position.size)[STRIDE])
