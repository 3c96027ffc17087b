"""The views of a position of Gyges: the text board, the spots to tap, sentences."""

from __future__ import annotations

from sarsen.core.phrases import Phrase, joined
from sarsen.drawing import View, register
from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.drawing.scene import Point, Scene
from sarsen.games.gyges.board import (
    GOALS,
    NAMES,
    NORTH,
    PLACES,
    ROWS,
    SIDES,
    SLOTS,
    SOUTH,
    VALUES,
    Move,
    SetUp,
    row_of,
    shore,
)
from sarsen.games.gyges.picture import picture, way_of
from sarsen.games.gyges.rules import GygesPosition

EMPTY = Phrase("empty")
USUAL = "321123"  # the singles in the middle, the triples outside

COLUMN_NUMBERS = "1 2 3 4 5 6"


def _first_row(seat: int) -> tuple[str, ...]:
    row = ROWS[0] if seat == SOUTH else ROWS[-1]
    return tuple(f"{row}{column}" for column in range(1, 7))


class GygesView(View):
    """Draw positions of Gyges; both players look from South's side, as the slots are named."""

    def text(self, position: GygesPosition, viewer: int | None = None) -> str:
        """Draw the grid of digits."""
        return text_board(position)

    def bare_text(self, position: GygesPosition) -> str:
        """Draw the grid without the numbers of its columns and rows."""
        return "\n".join(_grid(position))

    def scene(self, position: GygesPosition, viewer: int | None = None) -> Scene:
        """Draw the board with its rings."""
        return picture(position)

    def clicks(self, position: GygesPosition, move: Move) -> tuple[str, ...]:
        """Name what to point at.

        For a set-up six rings of the tray; for a move the ring, the place where it
        ends, and the slot where a relocated ring goes. Rings it only bounces on need
        no click: stops may be left out (Ruling G7).
        """
        if isinstance(move, SetUp):
            return tuple(move.rings)
        spots: tuple[str, ...] = ()
        for part in move.parts:
            spots += (part.stops[0], part.stops[-1])
            spots += (part.relocation,) if part.relocation else ()
        return spots

    def prompts(self, position: GygesPosition) -> tuple[str, ...]:
        """Return a text that says what to point at."""
        if position.is_setting_up:
            return tuple(
                Phrase("Choose a ring for column {column} of your row.", column=column)
                for column in range(1, 7)
            )
        return (
            Phrase("Choose a ring in your nearest row."),
            Phrase("Tap where it lands, or a ring to replace."),
            Phrase("Tap where the replaced ring goes."),
        )

    def ways(self, position: GygesPosition) -> dict[tuple[str, ...], tuple[Point, ...]]:
        """Return the way of a ring to each place where it may end, with all it bounces on."""
        ways_by_taps: dict[tuple[str, ...], tuple[Point, ...]] = {}
        for move in position.legal_moves():
            taps = self.clicks(position, move)[:2]
            if taps not in ways_by_taps and not isinstance(move, SetUp):
                ways_by_taps[taps] = way_of(position, next(iter(move.parts)).stops)
        return ways_by_taps

    def landings(self, position: GygesPosition) -> tuple[str, ...]:
        """Name the slots of the row that is set up, column by column."""
        return _first_row(position.seat) if position.is_setting_up else ()

    def presets(self, position: GygesPosition) -> dict[str, str]:
        """Name set-ups to choose at one press."""
        if not position.is_setting_up:
            return {}
        opposite_row = [position.shown[PLACES[slot]] for slot in _first_row(1 - position.seat)]
        mirrored = {"mirror": "".join(map(str, opposite_row))} if all(opposite_row) else {}
        return {"usual": USUAL, **mirrored}

    def describe(self, position: GygesPosition) -> str:
        """Return the position in sentences."""
        return description(position)

    def cells(self, position: GygesPosition) -> CellTable:
        """Return the slots in words."""
        return cells_of(position)


def text_board(position: GygesPosition) -> str:
    """Draw the grid with North's goal above and South's below.

    A ring that has won stands in the place of the goal's letter.
    """
    north, *rows, south = _grid(position)
    numbered = [f"{line} {row}" for line, row in zip(rows, reversed(ROWS), strict=True)]
    return "\n".join([COLUMN_NUMBERS, north, *numbered, south])


def _grid(position: GygesPosition) -> list[str]:
    """Draw the two goals and the rows between them, North's on top, without coordinates."""
    rings = position.shown
    rows = [
        " ".join(_sign(rings[place]) for place in SLOTS if row_of(place) == row)
        for row in reversed(ROWS)
    ]
    return [_goal_line(position, NORTH), *rows, _goal_line(position, SOUTH)]


def description(position: GygesPosition) -> Phrase:
    """Return a text that says whose turn it is, where the rings stand, and what the last move
    caused.
    """
    return joined([_turn(position), *_rows(position), *_last(position), *position.effects()])


def _turn(position: GygesPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return outcome.reason
        return Phrase("{side} has won.", side=SIDES[outcome.winner])
    if position.is_setting_up:
        return Phrase("{side} to set up six rings.", side=SIDES[position.seat])
    return Phrase("{side} to move.", side=SIDES[position.seat])


def _rows(position: GygesPosition) -> list[str]:
    sentences: list[str] = []
    rings = position.shown
    shores = {} if position.is_setting_up else {shore(rings, s): SIDES[s] for s in (SOUTH, NORTH)}
    for row in reversed(ROWS):
        standing = [
            joined([VALUES[rings[place]], NAMES[place]])
            for place in SLOTS
            if rings[place] and row_of(place) == row
        ]
        if not standing:
            continue
        head = (
            Phrase("Row {row}, {side}'s shore", row=row, side=shores[row])
            if row in shores
            else Phrase("Row {row}", row=row)
        )
        sentences.append(Phrase("{row}: {rings}.", row=head, rings=joined(standing, ", ")))
    return sentences or [Phrase("The board is empty.")]


def _last(position: GygesPosition) -> list[str]:
    if position.last is None:
        return []
    side, move = SIDES[position.last.seat], str(position.last.move)
    return [Phrase("{side}'s last move was {move}.", side=side, move=move)]


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
        tray = tuple(
            Cell(Phrase("{ring}, two of them", ring=words), str(value))
            for value, words in VALUES.items()
        )
        rows.append(CellRow(Phrase("Rings to set up"), tray))
    return CellTable(
        tuple(Phrase("Column {column}", column=column) for column in range(1, 7)), tuple(rows)
    )


def _spoken_rows(position: GygesPosition) -> list[CellRow]:
    rings = position.shown
    shores: dict[int, str] = {}
    if not position.is_setting_up:
        for seat in (SOUTH, NORTH):
            row = shore(position.rings, seat)
            side = SIDES[seat]
            shores[row] = (
                Phrase("Row {row}, South's and North's shore", row=row)
                if row in shores
                else Phrase("Row {row}, {side}'s shore", row=row, side=side)
            )
    return [
        CellRow(
            shores.get(row, Phrase("Row {row}", row=row)),
            tuple(
                Cell(VALUES.get(rings[place], EMPTY), NAMES[place])
                for place in SLOTS
                if row_of(place) == row
            ),
        )
        for row in reversed(ROWS)
    ]


def _goal(position: GygesPosition, seat: int) -> CellRow:
    ring = VALUES.get(position.shown[GOALS[seat]], EMPTY)
    return CellRow(Phrase("{side}'s goal", side=SIDES[seat]), (Cell(ring, NAMES[GOALS[seat]]),))


register("gyges", GygesView())
