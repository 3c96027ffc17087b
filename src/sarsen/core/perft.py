"""Perft: count the move paths of a given length, the classic check of a move generator."""

from sarsen.core.game import AnyPosition


def perft(position: AnyPosition, depth: int) -> int:
    """Count the sequences of `depth` legal moves from a position.

    Finished games end a sequence early and do not count below their end.
    """
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)
