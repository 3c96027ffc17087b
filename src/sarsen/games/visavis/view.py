"""What a position of Visavis looks like: as text, as a picture, to a finger, to an ear."""

from __future__ import annotations

from sarsen import drawing
from sarsen.drawing.cells import CellTable
from sarsen.drawing.scene import Scene
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.picture import scene_of
from sarsen.games.visavis.rules import GAME, Move, VisavisPosition
from sarsen.games.visavis.text import board_text, cells_of, part_text, words_of


class VisavisView:
    """Draw positions of Visavis; the board looks the same from every seat."""

    def text(self, position: VisavisPosition, viewer: int | None = None) -> str:
        return board_text(position.board, position.bridges)

    def compact_text(self, position: VisavisPosition, rows: int, columns: int) -> str:
        """Draw the rows around the last bridge; or around the middle, where it is not known."""
        last = position.last
        last_row = position.board.size // 2 + 1
        if last is not None and last != SWAP:
            last_row = int(last[1:])
        return part_text(position.board, position.bridges, last_row, rows)

    def scene(self, position: VisavisPosition, viewer: int | None = None) -> Scene:
        return scene_of(position)

    def clicks(self, position: VisavisPosition, move: Move) -> tuple[str, ...]:
        """Name the place of the bridge; a swap is the ring around the first bridge."""
        return (move,)

    def prompts(self, position: VisavisPosition) -> tuple[str, ...]:
        words = "Point at the place of a bridge, between two of your pegs."
        return (
            (f"{words} The ring takes the first bridge over.",) if position.may_swap else (words,)
        )

    def describe(self, position: VisavisPosition) -> str:
        return words_of(position)

    def cells(self, position: VisavisPosition) -> CellTable:
        return cells_of(position)


drawing.register(GAME.info.name, VisavisView())
