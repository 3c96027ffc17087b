"""Numbers for moves of Nim: 12 to a row; a plane whose rows show how many sticks are left."""

from __future__ import annotations

from typing import Any

from sarsen.core.coding import Coding

ROW = 12


def coding(position: Any) -> Coding:
    rows = int(position.options["rows"])
    return Coding(
        actions=ROW * rows,
        longest=rows**2,
        planes=("sticks",),
        levels=(),
        rows=rows,
        columns=ROW,
        number=lambda move: ROW * move.row + move.sticks,
        marks=lambda position: [
            (0, row, stick, 1.0) for row, left in enumerate(position.rows) for stick in range(left)
        ],
        level=lambda position: (),
    )
