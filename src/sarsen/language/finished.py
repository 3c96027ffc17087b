"""A finished game, as letters and pages show it; see `services.finished`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class RatingChange:
    """What the rating period of a game does to one player.

    Attributes:
        before: None for somebody who had no rating.
        was_provisional, is_provisional: Whether it was, or is then, too uncertain to say much.
        after: None when it is not worked out.
        ends_at: When the period ends, or ended; None before the first one has begun.
        is_final: The period is closed.
        games: How many games of the player's it has, so far.
    """

    userid: str
    is_bot: bool
    before: float | None
    was_provisional: bool
    after: float | None
    is_provisional: bool
    ends_at: datetime | None
    is_final: bool
    games: int


@dataclass(frozen=True)
class FinishedGame:
    """A finished game, without its moves: its record is made by `services.recording`.

    Attributes:
        winner: The userid that won alone; "" for a draw.
        reason: One sentence without names of players.
        unrated: Why it does not count for ratings; "" if it does.
        changes: By seat; empty when it does not count.
        rematch: The board of the rematch, or None.
    """

    board: int
    winner: str
    reason: str
    unrated: str
    changes: tuple[RatingChange, ...]
    rematch: int | None
