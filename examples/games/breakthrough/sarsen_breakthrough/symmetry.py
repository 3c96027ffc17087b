"""What is the same in Breakthrough: the mirror, and the board seen from the other side of it."""

from __future__ import annotations

from sarsen_breakthrough.rules import BreakthroughPosition, name


def canonical(position: BreakthroughPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it: the men as the player to move sees."""
    lines = range(1, position.size + 1)
    marks = {None: ".", position.side: "+", 1 - position.side: "-"}
    rows = [
        "".join(marks[position.men.get(name(column, row))] for column in lines)
        for row in lines[:: -1 if position.side else 1]
    ]
    return f"{position.size}:{min('/'.join(rows), '/'.join(row[::-1] for row in rows))}"
