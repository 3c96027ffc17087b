"""A position as a table of cells in words, for those who explore a board by ear.

A view may have a method `cells` of its own; otherwise the table is made of its picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sarsen.core.phrases import Phrase
from sarsen.core.renamed import renamed
from sarsen.drawing.scene import Arc, Circle, Label, Polygon, Scene, Shape, Stroke

# Of the height of a picture: places less far apart stand in one row.
_ROW_APART = 0.02
_ROLES = {"first": 0, "second": 1}


@dataclass(frozen=True)
class Cell:
    """One place of a board in words.

    Attributes:
        words: What stands there: `V, 2 high`; "" for nothing worth a word.
        spot: Its name among the spots of the picture; "" when it never is one.
    """

    words: str
    spot: str = ""


@dataclass(frozen=True)
class CellRow:
    """One row of a board, from left to right."""

    head: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class CellTable:
    """A board in rows from top to bottom.

    Attributes:
        columns: What stands above the cells; empty where cells stand in no columns.
        rows: None is longer than there are columns, unless there are none.
    """

    columns: tuple[str, ...]
    rows: tuple[CellRow, ...]


def cells_in(picture: Scene, seats: Sequence[str]) -> CellTable:
    """Return the spots of a picture from top to bottom, with the sides whose pieces stand there.

    Args:
        seats: The names of the sides, of which the first is drawn as `first`.
    """
    places: dict[str, tuple[float, float]] = {}
    roles: dict[str, set[str]] = {}
    for shape in picture.shapes:
        if shape.spot:
            places.setdefault(shape.spot, _middle(shape))
            roles.setdefault(shape.spot, set()).add(shape.role)
    rows: list[list[str]] = []
    height = float("-inf")
    for spot in sorted(places, key=lambda spot: (places[spot][1], places[spot][0])):
        if places[spot][1] - height > _ROW_APART * picture.height:
            rows.append([])
            height = places[spot][1]
        rows[-1].append(spot)
    return CellTable(
        (),
        tuple(
            CellRow(
                Phrase("Row {row}", row=number),
                tuple(
                    Cell(_owners(seats, roles[spot]), spot)
                    for spot in sorted(row, key=lambda spot: places[spot][0])
                ),
            )
            for number, row in enumerate(rows, start=1)
        ),
    )


def _owners(seats: Sequence[str], roles: set[str]) -> str:
    return ", ".join(
        seats[seat] for role, seat in _ROLES.items() if role in roles and seat < len(seats)
    )


def _middle(shape: Shape) -> tuple[float, float]:
    match shape:
        case Circle() | Label():
            return shape.x, shape.y
        case Polygon() | Stroke():
            points = shape.points
        case Arc():
            points = (shape.start, shape.end)
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


__getattr__ = renamed(
    __name__, {"ViewWithCells": "sarsen.drawing.view.View", "cells": "sarsen.drawing.view.cells"}
)
