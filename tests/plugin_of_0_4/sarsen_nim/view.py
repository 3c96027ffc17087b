"""What a position of Nim looks like."""

from __future__ import annotations

from sarsen import drawing
from sarsen.drawing.scene import Label, Line, Scene, Shape
from sarsen_nim.rules import GAME, NimPosition, Taking

CELL = 40.0


class NimView:
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
            shapes += [
                Line(
                    ((CELL * (1.5 + left - stick), y - 12), (CELL * (1.5 + left - stick), y + 12)),
                    "neutral-shade",
                    7,
                    spot=f"{'abcdef'[row]}{stick}",
                )
                for stick in range(1, left + 1)
            ]
        rows = len(position.rows)
        title = f"Nim: {'-'.join(map(str, position.rows))}"
        return Scene(CELL * (2 * rows + 1), CELL * (rows + 1), title, tuple(shapes))

    def clicks(self, position: NimPosition, move: Taking) -> tuple[str, ...]:
        return (position.format(move),)

    def describe(self, position: NimPosition) -> str:
        rows = ", ".join(f"{left} in {'abcdef'[row]}" for row, left in enumerate(position.rows))
        return f"Sticks left: {rows}."


drawing.register(GAME.info.name, NimView())
