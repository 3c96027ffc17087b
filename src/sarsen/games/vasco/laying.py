"""Lay one tile and what it forces, or say which rule forbids it."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import IllegalMove
from sarsen.games.vasco.cells import (
    BASE,
    EDGES,
    FARTHEST,
    FIRST_CELL,
    LETTER_OF,
    ORDERS,
    SIDE_NAMES,
    SIDES,
    Cell,
    Rotation,
    around,
    cell_at,
    neighbours,
    points_up,
)
from sarsen.games.vasco.table import Settled, Table


@dataclass(frozen=True, slots=True)
class Move:
    """Say which rotation is laid on which cell."""

    x: int
    y: int
    rotation: Rotation


def lay(table: Table, move: Move, room: int) -> tuple[Cell, ...]:
    """Lay a tile and the tiles it forces; give the cells in the order they were filled.

    Args:
        table: Changed by this, also when the move is refused.
        room: How many tiles the pool still has.

    Raises:
        IllegalMove: The text names the rule.
    """
    cell = _free_cell(table, move)
    if move.rotation not in table.possible(cell):
        raise _impossible(table, cell, move.rotation)
    settled = table.settle(cell, move.rotation, room)
    # Ruling V3: one group joined by edges, and no cell beside it that nothing can fill.
    if settled.dead is not None:
        raise _leaves_dead_cell(table, move.rotation, settled, settled.dead)
    if not table.joins(settled.laid):
        raise IllegalMove(
            f"Rotation {move.rotation} would touch the group at a corner only: "
            "it forces no tile that joins it edge to edge.",
            code="vasco.not-connected",
        )
    return settled.laid


def _free_cell(table: Table, move: Move) -> Cell:
    if move.rotation not in ORDERS:
        raise IllegalMove("A tile has six rotations, a to f.", code="vasco.no-such-rotation")
    is_near = max(abs(move.x), abs(move.y)) <= FARTHEST
    cell = cell_at(move.x, move.y) if is_near else FIRST_CELL - 1
    if not table.tiles and cell != FIRST_CELL:
        raise IllegalMove("The first tile has one place only, position 1.", code="vasco.first-tile")
    if is_near and cell in table.tiles:
        raise IllegalMove("A tile lies there already.", code="vasco.taken")
    if not is_near or (table.tiles and not any(near in table.tiles for near in around(cell))):
        raise IllegalMove(
            "A tile must share an edge or a corner with the tiles on the table.",
            code="vasco.apart",
        )
    return cell


def _impossible(table: Table, cell: Cell, rotation: Rotation) -> IllegalMove:
    edges = list(zip(SIDES, EDGES[rotation], neighbours(cell), strict=True))
    for side, colour, _ in edges:
        shown = table.colour_seen(cell, side)
        if shown not in (0, colour):
            return IllegalMove(
                f"Rotation {rotation} ({ORDERS[rotation]}) has {LETTER_OF[colour]} "
                f"{_on(side)}, but the tile beyond shows {LETTER_OF[shown]}: "
                "path ends that meet must have one colour.",
                code="vasco.edges-differ",
            )
    # Ruling V1: a cell between two ends of one colour can never be filled.
    side, colour = next(
        (side, colour)
        for side, colour, near in edges
        if any(table.colour_seen(near, other) == colour for other in SIDES)
        and not table.colour_seen(cell, side)
    )
    return IllegalMove(
        f"Rotation {rotation} ({ORDERS[rotation]}) would leave the empty cell "
        f"{_beyond(cell, side)} between two {LETTER_OF[colour]} ends: "
        "no tile has a colour twice, so nothing could fill it.",
        code="vasco.ends-alike",
    )


def _leaves_dead_cell(
    table: Table, rotation: Rotation, settled: Settled, dead: Cell
) -> IllegalMove:
    ends = ", ".join(
        f"{LETTER_OF[shown]} {_on(side)}"
        for side in SIDES
        if (shown := table.colour_seen(dead, side))
    )
    forced = len(settled.laid) - 1
    so_far = f", after forcing {forced} more," if forced else ""
    return IllegalMove(
        f"Rotation {rotation}{so_far} would leave an empty cell that no tile can ever fill "
        f"(the one that sees {ends}).",
        code="vasco.unplayable-cell",
    )


def _on(side: int) -> str:
    return f"on its {SIDE_NAMES[side]}" + ("" if side == BASE else " edge")


def _beyond(cell: Cell, side: int) -> str:
    if side == BASE:
        return "below it" if points_up(cell) else "above it"
    return f"to its {SIDE_NAMES[side]}"
