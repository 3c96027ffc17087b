"""The survey: every legal move of a table, and the numbers of the positions.

A survey takes over from the one before it whatever the last move was too far away
to change; on a big table that is nearly everything.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    neighbours,
    place_of,
    points_up,
    surroundings,
)

# What a tile may cause depends on cells up to four edges away, two rows at the most.
_CELLS_AWAY, _ROWS_AWAY = 4, 2


class Placement(NamedTuple):
    """A legal move and the tiles it lays: its own first, then the forced ones."""

    move: Move
    filled: tuple[tuple[Cell, Rotation], ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """The results of every rotation on one cell.

    Attributes:
        placements: The legal ones.
        most: The tiles that the longest of the tries laid, legal or not.
        columns, rows: A tile outside this range of cells changes nothing of it.
    """

    placements: tuple[Placement, ...]
    most: int
    columns: tuple[int, int]
    rows: tuple[int, int]

    def holds(self, news: list[tuple[int, int]], room: int) -> bool:
        """Return whether new tiles and a smaller pool leave all of this as it is."""
        (left, right), (top, bottom) = self.columns, self.rows
        return self.most <= room and not any(
            left <= x <= right and top <= y <= bottom for x, y in news
        )


@dataclass(frozen=True, slots=True)
class Survey:
    """The legal moves on a table.

    Attributes:
        placements: The legal moves in order, by position and then by rotation.
        numbers: The number of each cell with a legal rotation, in reading order from 1.
        trials: What came of every free cell, for the next survey.
    """

    placements: dict[Move, Placement]
    numbers: dict[Cell, int]
    trials: dict[Cell, Trial]


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
    trials: dict[Cell, Trial] = {}
    known = earlier.trials if earlier else {}
    places = [place_of(cell) for cell in news]
    bench = table.copy()
    for cell in _free_cells(table, known, news):
        trial = known.get(cell)
        if trial is None or not trial.holds(places, room):
            trial = _try_out(bench, cell, room)
        trials[cell] = trial
    return _gathered(trials)


def has_a_move(table: LaidTiles, room: int) -> bool:
    """Return whether any placement at all is legal, mostly at the price of the first one."""
    bench = table.copy()
    beside = (cell for cell, shown in table.seen.items() if shown and cell not in table.tiles)
    return any(_try_out(bench, cell, room).placements for cell in beside) or any(
        _try_out(bench, cell, room).placements for cell in _free_cells(table, {}, ())
    )


def _free_cells(table: LaidTiles, known: dict[Cell, Trial], news: tuple[Cell, ...]) -> list[Cell]:
    """List the cells to try in reading order: those known, and those round the new tiles."""
    if known:
        return sorted((known.keys() | surroundings(news)) - table.tiles.keys())
    return table.free_cells() or [FIRST_CELL]


def _gathered(trials: dict[Cell, Trial]) -> Survey:
    placements: dict[Move, Placement] = {}
    numbers: dict[Cell, int] = {}
    for cell, trial in trials.items():
        if trial.placements:
            numbers[cell] = len(numbers) + 1
        placements |= {placement.move: placement for placement in trial.placements}
    return Survey(placements, numbers, trials)


def _try_out(bench: LaidTiles, cell: Cell, room: int) -> Trial:
    """Try every rotation on a cell; the bench is afterwards as it was before."""
    placements: list[Placement] = []
    touched = {cell}
    most = 0
    for rotation in bench.possible(cell):
        settled = bench.settle(cell, rotation, room)
        touched.update(settled.laid)
        most = max(most, len(settled.laid))
        # Ruling V3: one group joined by edges, and no cell beside it that nothing can fill.
        if settled.dead is None and bench.joins(settled.laid):
            filled = tuple((new, bench.tiles[new]) for new in settled.laid)
            placements.append(Placement(Move(*place_of(cell), rotation), filled))
        for new in settled.laid:
            bench.take(new)
    columns, rows = _reach(touched)
    return Trial(tuple(placements), most, columns, rows)


def _reach(cells: set[Cell]) -> tuple[tuple[int, int], tuple[int, int]]:
    columns, rows = zip(*map(place_of, cells), strict=True)
    return (
        (min(columns) - _CELLS_AWAY, max(columns) + _CELLS_AWAY),
        (min(rows) - _ROWS_AWAY, max(rows) + _ROWS_AWAY),
    )


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
        raise IllegalMove("The first tile has one place only, position 1.", code="vasco.first-tile")
    if is_near and cell in table.tiles:
        raise IllegalMove("A tile lies there already.", code="vasco.taken")
    if not is_near or (table.tiles and not any(near in table.tiles for near in around(cell))):
        raise IllegalMove(
            "A tile must share an edge or a corner with the tiles on the table.",
            code="vasco.apart",
        )
    return cell


def _impossible(table: LaidTiles, cell: Cell, rotation: Rotation) -> IllegalMove:
    edges = list(zip(SIDES, EDGES[rotation], neighbours(cell), strict=True))
    for side, colour, _ in edges:
        shown = table.colour_seen(cell, side)
        if shown not in (0, colour):
            return IllegalMove(
                "Rotation {rotation} ({order}) has {colour} {edge}, but the tile beyond shows "
                "{shown}: path ends that meet must have one colour.",
                code="vasco.edges-differ",
                rotation=rotation,
                order=ORDERS[rotation],
                colour=LETTER_OF[colour],
                edge=_on(side),
                shown=LETTER_OF[shown],
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
        Phrase("{colour} {edge}", colour=LETTER_OF[shown], edge=_on(side))
        for side in SIDES
        if (shown := table.colour_seen(dead, side))
    ]
    forced = len(settled.laid) - 1
    return IllegalMove(
        "Rotation {rotation}, after forcing {forced} more, would leave an empty cell that no tile "
        "can ever fill (the one that sees {ends})."
        if forced
        else "Rotation {rotation} would leave an empty cell that no tile can ever fill (the one "
        "that sees {ends}).",
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
