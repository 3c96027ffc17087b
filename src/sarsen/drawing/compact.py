"""A smaller text board, for terminals that have fewer lines than the usual one."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from sarsen.core.game import AnyPosition
from sarsen.drawing.view import text, view_of


@runtime_checkable
class ViewWithCompactText(Protocol):
    """A view whose text board can be larger than a terminal."""

    def compact_text(self, position: Any, rows: int, columns: int) -> str:
        """Draw in at most so many lines and columns; a part around the last move if need be."""


def compact_text(position: AnyPosition, rows: int, columns: int) -> str:
    """Draw the usual text board where it fits, otherwise the smaller one if the game has one."""
    usual = text(position)
    lines = usual.splitlines()
    view = view_of(position)
    is_fitting = len(lines) <= rows and max(map(len, lines)) <= columns
    if is_fitting or not isinstance(view, ViewWithCompactText):
        return usual
    return view.compact_text(position, rows, columns)


def window(middle: int, room: int, whole: range) -> range:
    """Return the part of a range that has a number of elements, around one of them."""
    begin = max(whole.start, min(middle - room // 2, whole.stop - room))
    return range(begin, min(begin + room, whole.stop))
