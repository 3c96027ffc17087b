"""The position in words, for ears."""

from __future__ import annotations

from sarsen.games.vasco.cells import (
    LETTER_OF,
    SIDE_NAMES,
    SIDES,
    Cell,
    cell_at,
    place_of,
    points_up,
    runs,
)
from sarsen.games.vasco.paths import ARCS, longest, paths
from sarsen.games.vasco.rules import INFO, VascoPosition
from sarsen.games.vasco.spoken import extent


def words_of(position: VascoPosition) -> str:
    """Say the turn, the last move, the tiles row by row, and every free position."""
    outcome = position.outcome()
    if outcome is None:
        sentences = [f"{INFO.seats[position.seat]} is to move."]
    else:
        sentences = ["The game is over.", outcome.reason]
    sentences += [f"{position.room} of {position.size} tiles are left.", *position.effects()]
    if position.tiles:
        sentences += [_longest_paths(position), *_rows(position)]
    if outcome is None:
        sentences += _free_positions(position)
    # What ended the game is also what the last move caused: once is enough.
    return " ".join(dict.fromkeys(sentences))


def _longest_paths(position: VascoPosition) -> str:
    o_path, x_path = (longest(paths(position.tiles, arc)) for arc in ARCS)
    return f"Longest path of O: {o_path}; of X: {x_path}."


def _rows(position: VascoPosition) -> list[str]:
    table, sentences = extent(position), []
    for run in runs(position.tiles):
        tiles = ", ".join(f"{position.tiles[cell]} {_pointing(cell)}" for cell in run)
        sentences.append(f"From {_where(table, run[0])}: {tiles}.")
    if position.last:
        last = _where(table, position.last[0])
        sentences.append(f"The tile laid last is the one in {last}.")
    if len(position.last) > 1:
        forced = ", ".join(_where(table, cell) for cell in position.last[1:])
        sentences.append(f"It forced {forced}.")
    return sentences


def _where(table: tuple[range, range], cell: Cell) -> str:
    """Say a place by row and column of the table, as the table of cells counts them."""
    x, y = place_of(cell)
    across, down = table
    return f"row {y - down.start + 1} place {x - across.start + 1}"


def _free_positions(position: VascoPosition) -> list[str]:
    survey, table = position.survey(), extent(position)
    fitting: dict[Cell, list[str]] = {cell: [] for cell in survey.numbers}
    for move in survey.placements:
        fitting[cell_at(move.x, move.y)].append(move.rotation)
    return [
        f"Position {number}, {_where(table, cell)}, points {_pointing(cell)}, "
        f"{_ends(position, cell)}: "
        f"{', '.join(fitting[cell])}."
        for cell, number in survey.numbers.items()
    ]


def _pointing(cell: Cell) -> str:
    return "up" if points_up(cell) else "down"


def _ends(position: VascoPosition, cell: Cell) -> str:
    ends = [
        f"{LETTER_OF[colour]} on its {SIDE_NAMES[side]}"
        for side in SIDES
        if (colour := position.table.colour_seen(cell, side))
    ]
    return " and ".join(ends) or ("no tile beside it" if position.tiles else "the first tile")
