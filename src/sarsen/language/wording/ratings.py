"""Ratings in figures."""

from __future__ import annotations


def points(rating: float, *, is_provisional: bool) -> str:
    """Write a rating as people read it: `1662?`, the mark for one too uncertain to say much."""
    return f"{rating:.0f}{'?' if is_provisional else ''}"


def between(rating: float, deviation: float) -> str:
    """Write the range in which, with 95 % certainty, a player's strength lies: `1462-1862`."""
    return f"{rating - 2 * deviation:.0f}-{rating + 2 * deviation:.0f}"
