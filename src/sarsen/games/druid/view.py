"""What a position of Druid looks like: as text, as a picture, to a finger, to an ear."""

from __future__ import annotations

from sarsen import drawing
from sarsen.drawing.cells import CellTable
from sarsen.drawing.scene import Scene
from sarsen.games.druid import picture, plan, text
from sarsen.games.druid.board import Lintel
from sarsen.games.druid.notation import Move, Word, square_name
from sarsen.games.druid.rules import GAME, DruidPosition
from sarsen.games.druid.text import cells_of, words_of


class DruidView:
    """Draw positions of Druid; the site looks the same from every seat."""

    def text(self, position: DruidPosition, viewer: int | None = None) -> str:
        return text.board(position.monument)

    def compact_text(self, position: DruidPosition, rows: int, columns: int) -> str:
        return text.plans(position.monument)

    def scene(self, position: DruidPosition, viewer: int | None = None) -> Scene:
        return picture.scene(position)

    def plan(self, position: DruidPosition) -> Scene:
        return plan.plan(position)

    def clicks(self, position: DruidPosition, move: Move) -> tuple[str, ...]:
        """Name one square for a sarsen, both ends for a lintel, the first stone for a swap.

        A pass has no place on the site, and so no spots.
        """
        match move:
            case Word.SWAP:
                return tuple(square_name(stone.start) for stone in position.monument.stones)
            case Word.PASS:
                return ()
            case Lintel():
                first, _, last = move.squares
                return square_name(first), square_name(last)
            case _:
                return (square_name(move.square),)

    def prompts(self, position: DruidPosition) -> tuple[str, ...]:
        if position.is_opening:
            return ("Point at a square on the edge for the first sarsen.",)
        first = "Point at a square for a sarsen, or at one end of a lintel."
        if position.may_swap:
            first = "Point at a square for a sarsen, or at the stone to swap sides."
        return first, "Now the other end of the lintel; or is it a sarsen?"

    def describe(self, position: DruidPosition) -> str:
        return words_of(position)

    def cells(self, position: DruidPosition) -> CellTable:
        return cells_of(position)


drawing.register(GAME.info.name, DruidView())
