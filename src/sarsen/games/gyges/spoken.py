"""Gyges slot by slot, for whoever walks the board by ear."""

from __future__ import annotations

from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.games.gyges.board import (
    GOALS,
    NAMES,
    NORTH,
    ROWS,
    SIDES,
    SLOTS,
    SOUTH,
    VALUES,
    row_of,
    shore,
)
from sarsen.games.gyges.rules import GygesPosition


def cells_of(position: GygesPosition) -> CellTable:
    """Return the goals and the slots, North's on top; before the set-up the tray below."""
    rows = [_goal(position, NORTH), *_rows(position), _goal(position, SOUTH)]
    if position.is_setting_up:
        tray = tuple(Cell(f"{words}, two of them", str(value)) for value, words in VALUES.items())
        rows.append(CellRow("Rings to set up", tray))
    return CellTable(tuple(f"Column {column}" for column in range(1, 7)), tuple(rows))


def _rows(position: GygesPosition) -> list[CellRow]:
    rings = position.shown
    shores: dict[int, str] = {}
    if not position.is_setting_up:
        for seat in (SOUTH, NORTH):
            row = shore(position.rings, seat)
            shores[row] = (
                f"{shores[row]} and {SIDES[seat]}'s" if row in shores else (f"{SIDES[seat]}'s")
            )
    return [
        CellRow(
            f"Row {row}" + (f", {shores[row]} shore" if row in shores else ""),
            tuple(
                Cell(VALUES.get(rings[place], "empty"), NAMES[place])
                for place in SLOTS
                if row_of(place) == row
            ),
        )
        for row in reversed(ROWS)
    ]


def _goal(position: GygesPosition, seat: int) -> CellRow:
    ring = VALUES.get(position.shown[GOALS[seat]], "empty")
    return CellRow(f"{SIDES[seat]}'s goal", (Cell(ring, NAMES[GOALS[seat]]),))
