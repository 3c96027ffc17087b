"""The survey: every legal move of a table, and the numbers of the positions.

A survey takes over from the one before it whatever the last move was too far away
to change; on a big table that is nearly everything.
"""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.games.vasco.cells import FIRST_CELL, Cell, Rotation, place_of, surroundings
from sarsen.games.vasco.laying import Move
from sarsen.games.vasco.table import Table

# What a tile may cause depends on cells up to four edges away, two rows at the most.
_CELLS_AWAY, _ROWS_AWAY = 4, 2


@dataclass(frozen=True, slots=True)
class Placement:
    """A legal move and the tiles it lays: its own first, then the forced ones."""

    move: Move
    filled: tuple[tuple[Cell, Rotation], ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of every rotation on one cell.

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
    """What may be played on a table.

    Attributes:
        placements: The legal moves in order, by position and then by rotation.
        numbers: The number of each cell with a legal rotation, in reading order from 1.
        trials: What came of every free cell, for the next survey.
    """

    placements: dict[Move, Placement]
    numbers: dict[Cell, int]
    trials: dict[Cell, Trial]


def survey(
    table: Table, room: int, earlier: Survey | None = None, news: tuple[Cell, ...] = ()
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


def has_a_move(table: Table, room: int) -> bool:
    """Return whether any placement at all is legal, mostly at the price of the first one."""
    bench = table.copy()
    beside = (cell for cell, shown in table.seen.items() if shown and cell not in table.tiles)
    return any(_try_out(bench, cell, room).placements for cell in beside) or any(
        _try_out(bench, cell, room).placements for cell in _free_cells(table, {}, ())
    )


def _free_cells(table: Table, known: dict[Cell, Trial], news: tuple[Cell, ...]) -> list[Cell]:
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


def _try_out(bench: Table, cell: Cell, room: int) -> Trial:
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
    places = [place_of(cell) for cell in cells]
    columns, rows = [x for x, _ in places], [y for _, y in places]
    return (
        (min(columns) - _CELLS_AWAY, max(columns) + _CELLS_AWAY),
        (min(rows) - _ROWS_AWAY, max(rows) + _ROWS_AWAY),
    )
