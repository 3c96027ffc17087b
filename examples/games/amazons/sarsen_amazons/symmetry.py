"""What is the same in Amazons: the square turned and mirrored, in eight ways."""

from __future__ import annotations

from sarsen_amazons.rules import AmazonsPosition


def canonical(position: AmazonsPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it; White moves while arrows are even."""
    lines = range(1, position.size + 1)
    square = [
        [".WB*"[position.taken.get(f"{chr(96 + c)}{r}", -1) + 1] for c in lines] for r in lines
    ]
    boards = []
    for rows in (square, list(zip(*square, strict=True))):
        ways = [["".join(row) for row in rows], ["".join(row[::-1]) for row in rows]]
        boards += ["/".join(way) for way in ways] + ["/".join(way[::-1]) for way in ways]
    return f"{position.size}:{min(boards)}"
