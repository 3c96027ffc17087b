"""Where an arrow key leads from one place to another."""

from __future__ import annotations

from collections.abc import Mapping

At = tuple[int, int]
ASIDE = 3  # how much worse it is to lie aside than to lie further on


def neighbour(places: Mapping[str, At], here: str, across: int, down: int) -> str:
    """Return the nearest place in a direction; "" where there is none.

    Args:
        places: Columns and rows; a row is twice as high as a column is wide.
        across, down: -1, 0 or 1; one of them is 0.
    """
    if here not in places:
        return next(iter(places), "")
    x, y = places[here]
    found: list[tuple[int, str]] = []
    for name, (column, row) in places.items():
        right, below = column - x, 2 * (row - y)
        onwards = right * across + below * down
        aside = abs(below if across else right)
        if onwards > 0 and aside <= 2 * onwards:
            found.append((onwards + ASIDE * aside, name))
    return min(found, default=(0, ""))[1]
