"""A finished game, as letters and pages show it; see `services.finished`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RatingChange:
    """What one game did to a player's rating, or how it stands without one.

    Attributes:
        before: None while the game waits to be rated, and where no game is told of.
        was_provisional, is_provisional: Whether it was, or is, too uncertain to say much.
        after: None while the game waits to be rated.
    """

    userid: str
    is_bot: bool
    before: float | None
    was_provisional: bool
    after: float | None
    is_provisional: bool


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, without its moves: its record is made by `services.recording`.

    Attributes:
        winner: The userid that won alone; "" for a draw.
        reason: One sentence without names of players.
        unrated: Why it is not rated; "" if it is, or if that is not known any more.
        changes: By seat; empty when it is not rated.
        rematch: The board of the rematch, or None.
    """

    board: int
    winner: str
    reason: str
    unrated: str
    changes: tuple[RatingChange, ...]
    rematch: int | None
