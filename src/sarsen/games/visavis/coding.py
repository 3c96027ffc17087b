"""Visavis: a bridge of one's own at every coordinate, then `swap`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from sarsen.core.coding import Coding, Mark
from sarsen.core.game import AnyPosition
from sarsen.games.visavis.board import O, X, board_of, name
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import Move, VisavisPosition


def coding(position: AnyPosition) -> Coding:
    """Return the coding for the options of a position."""
    assert isinstance(position, VisavisPosition)
    return _coding(position.board.size)


@cache
def _coding(size: int) -> Coding:
    # Two bridges at one coordinate cross, so each coordinate is filled once; and one swap.
    places = board_of(size).places
    return Coding(
        actions=size**2 + 1,
        longest=(places[O] | places[X]).bit_count() + 1,
        planes=("bridges of O", "bridges of X"),
        levels=("the seats have swapped",),
        rows=size,
        columns=size,
        number=partial(_number, _numbers(size)),
        marks=_marks,
        level=_levels,
    )


def _number(numbers: dict[Move, int], position: VisavisPosition, move: Move) -> int:
    return numbers[move]


def _numbers(size: int) -> dict[Move, int]:
    everywhere = range(1, size + 1)
    names = [name(column, row) for row in everywhere for column in everywhere]
    return {move: number for number, move in enumerate([*names, SWAP])}


def _marks(position: VisavisPosition) -> Iterator[Mark]:
    for side in (O, X):
        for column, row in position.board.coordinates(position.bridges[side]):
            yield side, row - 1, column - 1, 1.0


def _levels(position: VisavisPosition) -> tuple[float, ...]:
    return (float(position.is_swapped),)
