"""Ratings in figures."""

from __future__ import annotations

from sarsen.language.finished import RatingChange


def points(rating: float, *, is_provisional: bool) -> str:
    """Write a rating as people read it: `1662?`, the mark for one too uncertain to say much."""
    return f"{rating:.0f}{'?' if is_provisional else ''}"


def between(rating: float, deviation: float) -> str:
    """Write the range in which, with 95 % certainty, a player's strength lies: `1462-1862`."""
    return f"{rating - 2 * deviation:.0f}-{rating + 2 * deviation:.0f}"


def signed(before: float, after: float) -> str:
    """Write by how much a rating moved, as its rounded figures say: `+162`."""
    return f"{round(after) - round(before):+d}"


def present_words(change: RatingChange | None) -> str:
    """Write the rating that stands beside a name: `1662?`, or after a game `1662? (+162)`."""
    if change is None or change.after is None:
        return ""
    figures = points(change.after, is_provisional=change.is_provisional)
    return (
        figures if change.before is None else f"{figures} ({signed(change.before, change.after)})"
    )


def change_words(change: RatingChange) -> str:
    """Write what a game did: `1500? → 1662? (+162)`; "" while it is not rated."""
    if change.before is None or change.after is None:
        return ""
    before = points(change.before, is_provisional=change.was_provisional)
    after = points(change.after, is_provisional=change.is_provisional)
    return f"{before} → {after} ({signed(change.before, change.after)})"
