"""The views of a position of Vasco: the text board of `text`, the spots to tap, sentences."""

from __future__ import annotations

from sarsen.drawing import register
from sarsen.drawing.cells import CellTable
from sarsen.drawing.scene import Scene
from sarsen.games.vasco.board import cell_at
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.picture import scene_of
from sarsen.games.vasco.rules import INFO, VascoPosition
from sarsen.games.vasco.text import cells_of, compact_text_of, text_of, words_of


class VascoView:
    """Draw Vasco; it looks the same from every seat."""

    def text(self, position: VascoPosition, viewer: int | None = None) -> str:
        return text_of(position)

    def compact_text(self, position: VascoPosition, rows: int, columns: int) -> str:
        return compact_text_of(position, rows, columns)

    def scene(self, position: VascoPosition, viewer: int | None = None) -> Scene:
        return scene_of(position)

    def clicks(self, position: VascoPosition, move: Move) -> tuple[str, ...]:
        """Name the position to tap and then the rotation in the legend."""
        return str(position.survey().numbers[cell_at(move.x, move.y)]), move.rotation

    def prompts(self, position: VascoPosition) -> tuple[str, ...]:
        return "Point at a numbered place.", "Now at a tile, turned as you want it."

    def describe(self, position: VascoPosition) -> str:
        return words_of(position)

    def cells(self, position: VascoPosition) -> CellTable:
        return cells_of(position)


register(INFO.name, VascoView())
