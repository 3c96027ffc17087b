"""Downtimes of the server over a day: they move the end date of a contest that runs (E13)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sarsen.services.clocks.turns import Pause
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Logged

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Shift:
    """An end date that a downtime moves.

    Attributes:
        due: When it had lasted long enough, or when the contest would have ended meanwhile.
        began: The downtime; each moves the date once.
        days: Whole ones; a day that was begun counts.
    """

    due: datetime
    began: datetime
    days: int


def shifts(held: Held, pauses: tuple[Pause, ...]) -> Iterator[Shift]:
    """Yield the downtimes by which the end date has still to move.

    Args:
        pauses: All downtimes that ended after the start, the present one among them.
    """
    state = held.state
    assert state.started_at is not None  # it runs
    assert state.ends_at is not None
    counted = {event.facts.get("downtime") for event in held.log if event.kind == Kind.OPENED}
    for pause in pauses:
        if pause.player_id is not None or pause.begin.isoformat() in counted:
            continue
        length = pause.end - max(pause.begin, state.started_at)
        if length > DAY and pause.begin < state.ends_at:
            yield Shift(min(pause.end, state.ends_at), pause.begin, math.ceil(length / DAY))


def move_end(held: Held, shift: Shift, now: datetime) -> None:
    """Write the new end date into the log."""
    state = held.state
    assert state.starts_at is not None
    assert state.ends_at is not None
    dates = {
        "starts_at": state.starts_at.isoformat(),
        "ends_at": (state.ends_at + shift.days * DAY).isoformat(),
        "downtime": shift.began.isoformat(),
        "days": shift.days,
    }
    held.add(Kind.OPENED, now, dates, due=shift.due)


def days_moved(log: list[Logged]) -> int:
    """Return by how many days downtimes have moved the end date."""
    return sum(event.facts.get("days", 0) for event in log if event.kind == Kind.OPENED)
