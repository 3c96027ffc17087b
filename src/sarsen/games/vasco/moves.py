"""The survey: every legal move of a table, and the numbers of the positions.

A survey takes over from the one before it whatever the last move was too far away
to change; on a big table that is nearly everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from sarsen.core.errors import IllegalMove
from sarsen.core.phrases import Phrase, listed
from sarsen.games.vasco.board import (
    BASE,
    EDGES,
    FARTHEST,
    FIRST_CELL,
    LEFT,
    LETTER_OF,
    ORDERS,
    SIDES,
    Cell,
    LaidTiles,
    PlacedTile,
    Rotation,
    around,
    cell_at,
    depending_on,
    neighbours,
    place_of,
    points_up,
    surroundings,
)


class Placement(NamedTuple):
    """A move that was tried.

    Attributes:
        move: The rotation and its cell.
        filled: The tiles laid, its own first, then the forced ones; of a move that is not
            legal those up to where something is against it.
        is_legal: Whether the rules allow it.
    """

    move: Move
    filled: dict[Cell, Rotation]
    is_legal: bool

    def holds(self, changed: set[Cell], room: int) -> bool:
        """Return whether changed cells and a smaller pool leave this as it is."""
        return len(self.filled) <= room and changed.isdisjoint(self.filled)


@dataclass(frozen=True, slots=True)
class Survey:
    """The legal moves on a table.

    Attributes:
        placements: The legal moves in order, by position and then by rotation.
        numbers: The number of each cell with a legal rotation, in reading order from 1.
        tried: All moves tried, by cell, for the next survey.
    """

    placements: dict[Move, Placement]
    numbers: dict[Cell, int]
    tried: dict[Cell, tuple[Placement, ...]]


def survey(
    table: LaidTiles, room: int, earlier: Survey | None = None, news: tuple[Cell, ...] = ()
) -> Survey:
    """List the legal moves of a table while the pool has `room` tiles.

    Args:
        table: Left as it is.
        room: How many tiles the pool still has.
        earlier: The survey of the table before the last move, if there was one.
        news: The cells which that move filled.
    """
    earlier_tries = earlier.tried if earlier else {}
    changed = depending_on(news)
    tries: dict[Cell, tuple[Placement, ...]] = {}
    for cell in _free_cells(table, earlier_tries.keys(), news):
        reusable = {
            placement.move.rotation: placement
            for placement in earlier_tries.get(cell, ())
            if placement.holds(changed, room)
        }
        tries[cell] = tuple(_tries(table, cell, room, reusable))
    legal = {place.move: place for places in tries.values() for place in places if place.is_legal}
    cells = dict.fromkeys(cell_at(move.x, move.y) for move in legal)
    return Survey(legal, {cell: number for number, cell in enumerate(cells, start=1)}, tries)


def has_a_move(table: LaidTiles, room: int) -> bool:
    """Return whether any placement at all is legal, mostly at the price of the first one."""
    return any(
        placement.is_legal
        for cells in (table.cells_beside, partial(_free_cells, table, (), ()))
        for cell in cells()
        for placement in _tries(table, cell, room, {})
    )


def _free_cells(table: LaidTiles, cells: Collection[Cell], news: tuple[Cell, ...]) -> list[Cell]:
    """List the cells to try in reading order: those known, and those round the new tiles."""
    if cells:
        return sorted(surroundings(news).union(cells) - table.tiles.keys())
    return table.free_cells() or [FIRST_CELL]


def _tries(
    table: LaidTiles, cell: Cell, room: int, reusable: dict[Rotation, Placement]
) -> Iterator[Placement]:
    """Yield what comes of each rotation on a cell; those kept are not tried again."""
    x, y = place_of(cell)
    for rotation in table.possible(cell):
        if rotation in reusable:
            yield reusable[rotation]
            continue
        bench = table.copy()
        laid, dead = bench.settle(cell, rotation, room)
        filled = {new: bench.tiles[new] for new in laid}
        # Ruling V3: one group joined by edges, and no cell beside it that nothing can fill.
        yield Placement(Move(x, y, rotation), filled, dead is None and bench.joins(laid))


class Move(NamedTuple):
    """A rotation laid on a cell."""

    x: int
    y: int
    rotation: Rotation


def lay(table: LaidTiles, move: Move, room: int) -> tuple[Cell, ...]:
    """Lay a tile and the tiles it forces; return the cells in the order they were filled.

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
            "Rotation {rotation} would touch the group at a corner only: it forces no tile "
            "that joins it edge to edge.",
            code="vasco.not-connected",
            rotation=move.rotation,
        )
    return settled.laid


def _free_cell(table: LaidTiles, move: Move) -> Cell:
    if move.rotation not in ORDERS:
        raise IllegalMove("A tile has six rotations, a to f.", code="vasco.no-such-rotation")
    is_near = max(abs(move.x), abs(move.y)) <= FARTHEST
    cell = cell_at(move.x, move.y) if is_near else FIRST_CELL - 1
    if not table.tiles and cell != FIRST_CELL:
        raise IllegalMove("The first tile can only go to position 1.", code="vasco.first-tile")
    if is_near and cell in table.tiles:
        raise IllegalMove("There is already a tile there.", code="vasco.taken")
    if not is_near or (table.tiles and not any(near in table.tiles for near in around(cell))):
        raise IllegalMove(
            "A tile must share an edge or a corner with the tiles on the table.",
            code="vasco.apart",
        )
    return cell


def _impossible(table: LaidTiles, cell: Cell, rotation: Rotation) -> IllegalMove:
    edges = list(zip(SIDES, EDGES[rotation], neighbours(cell), strict=True))
    for side, colour, _ in edges:
        seen_colour = table.colour_seen(cell, side)
        if seen_colour not in (0, colour):
            return IllegalMove(
                "Rotation {rotation} ({order}) has {colour} {edge}, but the tile beyond shows "
                "{shown}: path ends that meet must have the same colour.",
                code="vasco.edges-differ",
                rotation=rotation,
                order=ORDERS[rotation],
                colour=LETTER_OF[colour],
                edge=_on(side),
                shown=LETTER_OF[seen_colour],
            )
    # Ruling V1: a cell between two ends of one colour can never be filled.
    side, colour = next(
        (side, colour)
        for side, colour, near in edges
        if any(table.colour_seen(near, other) == colour for other in SIDES)
        and not table.colour_seen(cell, side)
    )
    return IllegalMove(
        "Rotation {rotation} ({order}) would leave the empty cell {place} between two "
        "{colour} ends: no tile has a colour twice, so nothing could fill it.",
        code="vasco.ends-alike",
        rotation=rotation,
        order=ORDERS[rotation],
        place=_beyond(cell, side),
        colour=LETTER_OF[colour],
    )


def _leaves_dead_cell(
    table: LaidTiles, rotation: Rotation, settled: PlacedTile, dead: Cell
) -> IllegalMove:
    ends = [
        Phrase("{colour} {edge}", colour=LETTER_OF[seen_colour], edge=_on(side))
        for side in SIDES
        if (seen_colour := table.colour_seen(dead, side))
    ]
    forced = len(settled.laid) - 1
    return IllegalMove(
        "Rotation {rotation}, after forcing {forced} more, would leave an empty cell that no "
        "tile could ever fill (the one next to {ends})."
        if forced
        else (
            "Rotation {rotation} would leave an empty cell that no tile could ever fill (the one "
            "next to {ends})."
        ),
        code="vasco.unplayable-cell",
        rotation=rotation,
        forced=forced,
        ends=listed(ends),
    )


def _on(side: int) -> Phrase:
    if side == BASE:
        return Phrase("on its base")
    return Phrase("on its left edge" if side == LEFT else "on its right edge")


def _beyond(cell: Cell, side: int) -> Phrase:
    if side == BASE:
        return Phrase("below it" if points_up(cell) else "above it")
    return Phrase("to its left" if side == LEFT else "to its right")
