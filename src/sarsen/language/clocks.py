"""What a clock shows, as facts that do not change until something happens at the board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta


@dataclass(frozen=True)
class Away:
    """A vacation of a player at a board: present, planned, or over since the turn began."""

    userid: str
    begin: datetime
    end: datetime
    last_day: date


@dataclass(frozen=True)
class ClockView:
    """The clocks of a board while a game runs.

    Attributes:
        userid: Whose move it is.
        zone: Where he lives.
        due_at: The move must come before it.
        reserve_after: What of the mover's reserve is left then; None when there is no bound.
        reserves: By seat, as they were when the turn began; None when there is no bound.
        weekends_are_off: Saturdays and Sundays of the mover's zone do not count.
    """

    userid: str
    zone: str
    due_at: datetime
    reserve_after: timedelta | None
    reserves: tuple[timedelta | None, ...]
    away: tuple[Away, ...]
    weekends_are_off: bool
