"""What a position of Nim looks like."""

from __future__ import annotations

from sarsen import drawing
from sarsen.drawing.scene import Label, Polygon, Scene, Shape, Stroke
from sarsen_nim.rules import GAME, NimPosition, Taking

CELL = 40.0


class NimView(drawing.View):
    """Draw rows of sticks, the same from both seats."""

    def text(self, position: NimPosition, viewer: int | None = None) -> str:
        rows = enumerate(position.rows)
        return "\n".join(f"{'abcdef'[row]}  {'| ' * left}".rstrip() for row, left in rows)

    def scene(self, position: NimPosition, viewer: int | None = None) -> Scene:
        shapes: list[Shape] = []
        for row, left in enumerate(position.rows):
            y = (row + 1) * CELL
            shapes.append(Label(CELL / 2, y, "abcdef"[row], 18, "ink-soft"))
            # Sticks are counted from the right: pointing at one takes it and all beyond it.
            for stick in range(1, left + 1):
                shapes += self._stick(CELL * (1.5 + left - stick), y, f"{'abcdef'[row]}{stick}")
        rows = len(position.rows)
        title = f"Nim: {'-'.join(map(str, position.rows))}"
        return Scene(CELL * (2 * rows + 1), CELL * (rows + 1), title, tuple(shapes))

    def _stick(self, x: float, y: float, spot: str) -> tuple[Shape, ...]:
        left, top, right, bottom = x - CELL / 2, y - CELL / 2, x + CELL / 2, y + CELL / 2
        corners = (left, top), (right, top), (right, bottom), (left, bottom)
        # A stick is narrow: what is pointed at is the square around it.
        around = Polygon(corners, "paper", spot=spot, is_unseen=True)
        return around, Stroke(((x, y - 12), (x, y + 12)), "neutral-shade", 7, spot=spot)

    def clicks(self, position: NimPosition, move: Taking) -> tuple[str, ...]:
        return (position.format(move),)

    def describe(self, position: NimPosition) -> str:
        rows = ", ".join(f"{left} in {'abcdef'[row]}" for row, left in enumerate(position.rows))
        outcome = position.outcome()
        state = outcome.reason if outcome else f"{position.sides[position.seat]} is to move."
        return f"{state} Sticks left: {rows}."


drawing.register(GAME.info.name, NimView())
