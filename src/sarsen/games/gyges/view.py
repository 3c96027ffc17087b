"""Show Gyges: as text, as a picture, as spots to point at, and in words."""

from __future__ import annotations

from sarsen.drawing import register
from sarsen.drawing.cells import CellTable
from sarsen.drawing.scene import Scene
from sarsen.games.gyges.board import PLACES, ROWS, SOUTH, Move, SetUp
from sarsen.games.gyges.picture import picture
from sarsen.games.gyges.rules import GygesPosition
from sarsen.games.gyges.text import cells_of, description, text_board

USUAL = "321123"  # the singles in the middle, the triples outside


def _first_row(seat: int) -> tuple[str, ...]:
    row = ROWS[0] if seat == SOUTH else ROWS[-1]
    return tuple(f"{row}{column}" for column in range(1, 7))


class GygesView:
    """Draw positions of Gyges; both players look from South's side, as the slots are named."""

    def text(self, position: GygesPosition, viewer: int | None = None) -> str:
        """Draw the grid of digits."""
        return text_board(position)

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
                f"Point at the ring for column {column} of your row." for column in range(1, 7)
            )
        return (
            "Point at a ring of the row nearest to you.",
            "Now at where it ends; on another ring to put that one elsewhere.",
            "Now at where the ring goes that stood there.",
        )

    def landings(self, position: GygesPosition) -> tuple[str, ...]:
        """Name the slots of the row that is set up, column by column."""
        return _first_row(position.seat) if position.is_setting_up else ()

    def presets(self, position: GygesPosition) -> dict[str, str]:
        """Name set-ups to choose at one press."""
        if not position.is_setting_up:
            return {}
        theirs = [position.shown[PLACES[slot]] for slot in _first_row(1 - position.seat)]
        mirrored = {"mirror": "".join(map(str, theirs))} if all(theirs) else {}
        return {"usual": USUAL, **mirrored}

    def describe(self, position: GygesPosition) -> str:
        """Return the position in sentences."""
        return description(position)

    def cells(self, position: GygesPosition) -> CellTable:
        """Return the slots in words."""
        return cells_of(position)


register("gyges", GygesView())
