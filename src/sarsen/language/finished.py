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
class RecordedMove:
    """A move of a record."""

    ply: int
    player: str
    text: str
    at: datetime


@dataclass(frozen=True)
class FinishedGame:
    """A finished game.

    Attributes:
        title: `Druid Board 123`.
        agreed: Options and terms as a challenge would have them; "" for the usual ones.
        seats: Pairs of a side and its player, by seat, as they were at the end.
        winner: The userid that won alone; "" for a draw.
        reason: One sentence without names of players.
        unrated: Why it does not count for ratings; "" if it does.
        changes: By seat; empty when it does not count.
        rematch: The board of the rematch, or None.
    """

    board: int
    game: str
    title: str
    agreed: str
    seats: tuple[tuple[str, str], ...]
    started_at: datetime
    ended_at: datetime
    winner: str
    reason: str
    moves: tuple[RecordedMove, ...]
    unrated: str
    changes: tuple[RatingChange, ...]
    rematch: int | None
