"""Find a move that wins at once."""

from __future__ import annotations

from numba import int64

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS, LEGAL, PLAY, SEAT


@compiled(int64(LEGAL, PLAY, *[INTEGERS] * 4))
def winning_move(legal, play, constants, state, moves, room):  # type: ignore[no-untyped-def]
    """Return the first move that wins at once, or -1.

    Args:
        moves: Room for the moves of one position.
        room: Room for one state.
    """
    count = legal(constants, state, moves)
    for index in range(count):
        for word in range(state.shape[0]):
            room[word] = state[word]
        if play(constants, room, moves[index]) == state[SEAT] + 1:
            return moves[index]
    return -1
