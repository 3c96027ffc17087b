"""Numbers and planes on a grid of dots, lines and boxes, in which dots stand in every other row."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from sarsen.core.coding import Coding, Mark
from sarsen_dots.rules import DotsPosition, lines


def coding(position: DotsPosition) -> Coding:
    """Return the coding for the size of a position."""
    return _coding(position.size)


@cache
def _coding(size: int) -> Coding:
    across = 2 * size + 1
    numbers = {}
    for line in lines(size):
        row, column = _place(size, line)
        numbers[line] = row * across + column
    return Coding(
        actions=across**2,
        longest=len(numbers),
        planes=("lines", "boxes of Red", "boxes of Blue"),
        levels=(),
        rows=across,
        columns=across,
        number=numbers.__getitem__,
        marks=partial(_marks, size),
        level=_levels,
    )


def _place(size: int, name: str) -> tuple[int, int]:
    """Return the row and column of a line or box, which lies between the two dots of its name."""
    start, end = name.split("-")
    return 2 * (size + 1) - int(start[1]) - int(end[1]), ord(start[0]) + ord(end[0]) - 2 * ord("a")


def _marks(size: int, position: DotsPosition) -> Iterator[Mark]:
    for line in position.lines:
        yield 0, *_place(size, line), 1.0
    for box, side in position.boxes.items():
        yield 1 + side, *_place(size, box), 1.0


def _levels(position: DotsPosition) -> tuple[float, ...]:
    return ()
