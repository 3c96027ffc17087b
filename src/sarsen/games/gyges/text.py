"""Gyges in characters and sentences: the text board, the title, the description."""

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

COLUMN_NUMBERS = "1 2 3 4 5 6"


def text_board(position: GygesPosition) -> str:
    """Draw the grid with North's goal above and South's below.

    A ring that has won stands in the place of the goal's letter.
    """
    rings = position.shown
    rows = [
        " ".join(_sign(rings[place]) for place in SLOTS if row_of(place) == row) + f" {row}"
        for row in reversed(ROWS)
    ]
    goals = [_goal_line(position, seat) for seat in (SOUTH, NORTH)]
    return "\n".join([COLUMN_NUMBERS, goals[NORTH], *rows, goals[SOUTH]])


def title(position: GygesPosition) -> str:
    """Return the position in one line: `Gyges: South to move, shores in rows 1 and 5`."""
    outcome = position.outcome()
    if outcome is not None:
        return f"Gyges: {outcome.reason.rstrip('.')}"
    side = SIDES[position.seat]
    if position.is_setting_up:
        return f"Gyges: {side} to set up"
    south, north = (shore(position.rings, seat) for seat in (SOUTH, NORTH))
    return f"Gyges: {side} to move, shores in rows {south} and {north}"


def description(position: GygesPosition) -> str:
    """Return a text that says whose turn it is, where the rings stand, and what the last move
    caused.
    """
    return " ".join([_turn(position), *_rows(position), *_last(position), *position.effects()])


def standing(position: GygesPosition, seat: int) -> str:
    """Return a text that says how a side stands, in few words: `South to move`."""
    outcome = position.outcome()
    if outcome is not None:
        return f"{SIDES[seat]} has won" if outcome.winner == seat else SIDES[seat]
    if position.seat != seat:
        return SIDES[seat]
    return f"{SIDES[seat]} to {'set up' if position.is_setting_up else 'move'}"


def _turn(position: GygesPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return outcome.reason if outcome.winner is None else f"{SIDES[outcome.winner]} has won."
    todo = "set up six rings" if position.is_setting_up else "move"
    return f"{SIDES[position.seat]} to {todo}."


def _rows(position: GygesPosition) -> list[str]:
    said = []
    rings = position.shown
    shores = {} if position.is_setting_up else {shore(rings, s): SIDES[s] for s in (SOUTH, NORTH)}
    for row in reversed(ROWS):
        standing = [
            f"{VALUES[rings[place]]} {NAMES[place]}"
            for place in SLOTS
            if rings[place] and row_of(place) == row
        ]
        if standing:
            whose = f", {shores[row]}'s shore" if row in shores else ""
            said.append(f"Row {row}{whose}: {', '.join(standing)}.")
    return said or ["The board is empty."]


def _last(position: GygesPosition) -> list[str]:
    if position.last is None:
        return []
    return [f"{SIDES[position.last.seat]}'s last move was {position.last.move}."]


def _goal_line(position: GygesPosition, seat: int) -> str:
    value = position.shown[GOALS[seat]]
    sign = str(value) if value else SIDES[seat][0]
    return " " * (len(COLUMN_NUMBERS) // 2) + sign


def _sign(value: int) -> str:
    return str(value) if value else "."


def cells_of(position: GygesPosition) -> CellTable:
    """Return the goals and the slots, North's on top; before the set-up the tray below."""
    rows = [_goal(position, NORTH), *_spoken_rows(position), _goal(position, SOUTH)]
    if position.is_setting_up:
        tray = tuple(Cell(f"{words}, two of them", str(value)) for value, words in VALUES.items())
        rows.append(CellRow("Rings to set up", tray))
    return CellTable(tuple(f"Column {column}" for column in range(1, 7)), tuple(rows))


def _spoken_rows(position: GygesPosition) -> list[CellRow]:
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
