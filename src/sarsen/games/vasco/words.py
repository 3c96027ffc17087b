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
    """Say the tiles; rows count from the top, places from the leftmost cell of the table."""
    places = [place_of(cell) for cell in position.tiles]
    first_x, first_y = min(x for x, _ in places), min(y for _, y in places)

    def where(cell: Cell) -> str:
        x, y = place_of(cell)
        return f"row {y - first_y + 1} place {x - first_x + 1}"

    sentences = []
    for run in runs(position.tiles):
        tiles = ", ".join(f"{position.tiles[cell]} {_pointing(cell)}" for cell in run)
        sentences.append(f"From {where(run[0])}: {tiles}.")
    if position.last:
        sentences.append(f"The tile laid last is the one in {where(position.last[0])}.")
    if len(position.last) > 1:
        sentences.append(f"It forced {', '.join(map(where, position.last[1:]))}.")
    return sentences


def _free_positions(position: VascoPosition) -> list[str]:
    survey = position.survey()
    fitting: dict[Cell, list[str]] = {cell: [] for cell in survey.numbers}
    for move in survey.placements:
        fitting[cell_at(move.x, move.y)].append(move.rotation)
    return [
        f"Position {number} points {_pointing(cell)}, {_ends(position, cell)}: "
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
