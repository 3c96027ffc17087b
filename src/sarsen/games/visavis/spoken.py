"""Visavis place by place, for whoever walks the board by ear."""

from __future__ import annotations

from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.games.visavis.board import LETTERS, SIDES, Board, O, X, name
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import VisavisPosition


def cells_of(position: VisavisPosition) -> CellTable:
    """Return every coordinate: the pegs and bridges there, and who may still build.

    The lattices lie beside each other: where one side has a peg, the other may have a place.
    """
    board = position.board
    marks: dict[str, list[str]] = {}
    for words, places in _layers(position, board):
        for coordinate in board.names(places):
            marks.setdefault(coordinate, []).append(words)
    rows = tuple(
        CellRow(
            str(row),
            tuple(
                Cell(", ".join(marks.get(coordinate, ["closed"])), coordinate)
                for coordinate in (name(column, row) for column in range(1, board.size + 1))
            ),
        )
        for row in range(1, board.size + 1)
    )
    if position.may_swap:
        rows += (CellRow("Instead", (Cell("swap sides", SWAP),)),)
    return CellTable(tuple(LETTERS[: board.size]), rows)


def _layers(position: VisavisPosition, board: Board) -> list[tuple[str, int]]:
    """Return what is said of which coordinates."""
    open_to_o, open_to_x = (
        board.places[side]
        & ~position.bridges[side]
        & ~board.crossed(1 - side, position.bridges[1 - side])
        for side in (O, X)
    )
    layers = [(f"{SIDES[side]} bridge", position.bridges[side]) for side in (O, X)]
    layers += [(f"{SIDES[side]} peg", board.pegs[side]) for side in (O, X)]
    layers.append(("open", open_to_o & open_to_x))
    layers.append((f"open to {SIDES[O]}", open_to_o & ~open_to_x))
    layers.append((f"open to {SIDES[X]}", open_to_x & ~open_to_o))
    return layers
