"""What is the same in Hex: the board turned by half. A mirror exchanges who begins."""

from __future__ import annotations

from sarsen_hex.rules import HexPosition, cells


def canonical(position: HexPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it."""
    swap = "swap " * (position.terms.flag("swap") and len(position.moves) < 2)
    board = "".join(".RB"[position.stones.get(cell, -1) + 1] for cell in cells(position.size))
    return f"{position.size} {swap}:{min(board, board[::-1])}"
