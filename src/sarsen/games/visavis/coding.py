"""Visavis: a bridge of one's own at every coordinate, then `swap`."""

from __future__ import annotations

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
        number=_numbers(size).__getitem__,
        legal_numbers=partial(_legal_numbers, _numbered_places(size)),
        move=tuple(_numbers(size)).__getitem__,
        marks=_marks,
        level=_levels,
        play_legal=VisavisPosition.play_legal,
    )


def _numbers(size: int) -> dict[Move, int]:
    everywhere = range(1, size + 1)
    names = [name(column, row) for row in everywhere for column in everywhere]
    return {move: number for number, move in enumerate([*names, SWAP])}


def _numbered_places(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return each side's places with their numbers."""
    numbers, names = _numbers(size), board_of(size).named
    return tuple(tuple((numbers[text], place) for text, place in names[side]) for side in (O, X))


def _legal_numbers(
    numbered: tuple[tuple[tuple[int, int], ...], ...], position: VisavisPosition
) -> list[int]:
    places = position.open_places
    numbers = [number for number, place in numbered[position.side] if place & places]
    return [*numbers, position.board.size**2] if position.may_swap else numbers


def _marks(position: VisavisPosition) -> list[Mark]:
    marks_drawn = []
    for side, marks in enumerate(_marks_by_place(position.board.size)):
        bridges = position.bridges[side]
        while bridges:
            lowest = bridges & -bridges
            marks_drawn.append(marks[lowest])
            bridges ^= lowest
    return marks_drawn


@cache
def _marks_by_place(size: int) -> tuple[dict[int, Mark], dict[int, Mark]]:
    board = board_of(size)
    o, x = (
        {
            board.place(side, (column, row)): (side, row - 1, column - 1, 1.0)
            for column, row in board.coordinates(board.places[side])
        }
        for side in (O, X)
    )
    return o, x


def _levels(position: VisavisPosition) -> tuple[float, ...]:
    return (float(position.is_swapped),)
