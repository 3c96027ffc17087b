"""One turn's clock: how long it may last, and what is due of reminder, warning and forfeit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from sarsen.language.clocks import Away, ClockView
from sarsen.language.grammar.dates import zone_called
from sarsen.services.clocks.arithmetic import Pause, Pauses, counted, of_player, pauses_at, reached
from sarsen.services.matches.terms import PlayingTime, playing_time
from sarsen.storage.models import Match

# Between the last warning and the loss lies a quarter of the budget, within these bounds.
SHORTEST_NOTICE = timedelta(minutes=15)
LONGEST_NOTICE = timedelta(days=1)
NOTHING = timedelta()


@dataclass(frozen=True)
class Turn:
    """The turn of one seat.

    Attributes:
        reserve: What is left for all moves of the seat, at the turn's beginning; None: no bound.
        was_nagged: The reminder has been sent.
        warned_at: When the last warning was queued; None before.
    """

    began_at: datetime
    time: PlayingTime
    reserve: timedelta | None
    pauses: Pauses
    was_nagged: bool = False
    warned_at: datetime | None = None

    @property
    def budget(self) -> timedelta:
        """The counted time this turn may take."""
        forfeit = self.time.forfeit
        return forfeit if self.reserve is None else min(forfeit, max(self.reserve, NOTHING))

    @property
    def notice(self) -> timedelta:
        """The counted time that lies between the last warning and the loss, at the least."""
        return max(SHORTEST_NOTICE, min(LONGEST_NOTICE, self.budget / 4))


class Act(Enum):
    """The action of the sweep for a turn."""

    WAIT = "wait"
    NAG = "nag"
    WARN = "warn"
    FORFEIT = "forfeit"


@dataclass(frozen=True)
class Decision:
    """The action now, the deadline of the move, and the time of the next check."""

    act: Act
    due_at: datetime
    look_at: datetime


def deadline(turn: Turn) -> datetime:
    """Return the instant after which the turn is lost, not before the notice after a warning.

    Before the warning it is what the budget gives; a late warning moves it on.
    """
    due = reached(turn.began_at, max(turn.budget, turn.notice), turn.pauses)
    if turn.warned_at is None:
        return due
    return max(due, reached(turn.warned_at, turn.notice, turn.pauses))


def decide(turn: Turn, now: datetime) -> Decision:
    """Decide what is due: at most one act at a time, however long nobody has looked."""
    due = deadline(turn)
    if turn.warned_at is not None:
        return Decision(Act.FORFEIT if now >= due else Act.WAIT, due, due)
    before_warning = max(turn.budget - turn.notice, NOTHING)
    warn_at = reached(turn.began_at, before_warning, turn.pauses)
    if now >= warn_at:
        warned = deadline(replace(turn, warned_at=now))
        return Decision(Act.WARN, warned, warned)
    if turn.was_nagged or turn.time.nag >= before_warning:
        return Decision(Act.WAIT, due, warn_at)
    nag_at = reached(turn.began_at, turn.time.nag, turn.pauses)
    return Decision(Act.NAG, due, warn_at) if now >= nag_at else Decision(Act.WAIT, due, nag_at)


def reserve_after(turn: Turn, ended_at: datetime) -> timedelta | None:
    """Return the reserve once a move has ended the turn: less what it took, plus the increment."""
    if turn.reserve is None:
        return None
    used = counted(turn.began_at, ended_at, turn.pauses)
    return max(turn.reserve - used, NOTHING) + turn.time.increment


@dataclass(frozen=True)
class ClockSeat:
    """The facts of a seat that the clocks need; the reserve in seconds."""

    player_id: int
    userid: str
    zone: str
    reserve: float | None
    is_bot: bool = False


def view_clock(
    match: Match, clock_seats: Sequence[ClockSeat], pauses: tuple[Pause, ...] | None = None
) -> ClockView | None:
    """Return the clock of the seat to move; None when none runs.

    Args:
        pauses: What ends after the turn began; None to look it up.
    """
    if match.turn_began_at is None or match.ended_at is not None:
        return None
    time = playing_time(match.terms)
    mover = clock_seats[match.seat_to_move]
    reserves = tuple(
        None if one.reserve is None else timedelta(seconds=one.reserve) for one in clock_seats
    )
    if pauses is None:
        pauses = pauses_at(match, match.turn_began_at)
    turn = Turn(
        match.turn_began_at,
        time,
        reserves[match.seat_to_move],
        Pauses(
            of_player(pauses, mover.player_id),
            zone_called(mover.zone) if time.weekends_are_off else None,
        ),
        warned_at=match.warned_at,
    )
    userids = {one.player_id: one.userid for one in clock_seats}
    return ClockView(
        userid=mover.userid,
        zone=mover.zone,
        due_at=deadline(turn),
        reserve_after=None if turn.reserve is None else turn.reserve - turn.budget,
        reserves=reserves,
        away=tuple(
            Away(userids[one.player_id], one.begin, one.end, one.last_day)
            for one in pauses
            if one.player_id is not None and one.last_day is not None
        ),
        weekends_are_off=time.weekends_are_off,
    )
