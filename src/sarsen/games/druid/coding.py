"""Druid: three kinds of stones on every square, then `swap` and `pass`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sarsen.core.coding import Coding, Mark
from sarsen.core.game import AnyPosition
from sarsen.games.druid.board import EAST, NORTH, H, Lintel, Sarsen, V, column_row, site, squares_of
from sarsen.games.druid.notation import Move, Word
from sarsen.games.druid.rules import DruidPosition

# A lintel stands at its west or south end.
SARSENS, EAST_LINTELS, NORTH_LINTELS, KINDS = range(4)


def coding(position: AnyPosition) -> Coding:
    """Return the coding for the options of a position."""
    assert isinstance(position, DruidPosition)
    return _coding(position.terms.size, position.terms.most_plies)


@cache
def _coding(size: int, most_plies: int) -> Coding:
    return Coding(
        actions=KINDS * size**2 + 2,
        longest=most_plies,
        planes=("topped by V", "topped by H", "height"),
        levels=("the seats have swapped", "passes in a row", "share of the plies left"),
        rows=size,
        columns=size,
        number=_numbers(size).__getitem__,
        marks=_marks,
        level=_levels,
        highest=float(most_plies),
        play_legal=DruidPosition.play_legal,
    )


def _numbers(size: int) -> dict[Move, int]:
    numbers: dict[Move, int] = {Word.SWAP: KINDS * size**2, Word.PASS: KINDS * size**2 + 1}
    for square in squares_of(site(size).every):
        cell = _cell(square, size)
        numbers[Sarsen(square)] = SARSENS * size**2 + cell
        numbers[Lintel(square, EAST)] = EAST_LINTELS * size**2 + cell
        numbers[Lintel(square, NORTH)] = NORTH_LINTELS * size**2 + cell
    return numbers


def _marks(position: DruidPosition) -> Iterator[Mark]:
    monument, places = position.monument, _places(position.terms.size)
    for side in (V, H):
        for square in squares_of(monument.tops[side]):
            row, column = places[square]
            yield side, row, column, 1.0
            yield 2, row, column, float(monument.heights[square])


def _levels(position: DruidPosition) -> tuple[float, ...]:
    plies = position.terms.most_plies
    return float(position.is_swapped), float(position.passes), 1 - position.ply / plies


@cache
def _places(size: int) -> dict[int, tuple[int, int]]:
    """Return the row and column on the planes of each square."""
    return {square: divmod(_cell(square, size), size) for square in squares_of(site(size).every)}


def _cell(square: int, size: int) -> int:
    column, row = column_row(square)
    return size * (size - 1 - row) + column
