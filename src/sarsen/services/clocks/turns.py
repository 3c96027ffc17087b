"""One turn's clock: which time counts, how long it may last, what is due of warning and loss."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

from sarsen.language.clocks import Away, ClockView
from sarsen.language.grammar.time_zones import zone_called
from sarsen.services.matches.terms import (
    PlayingTime,
    VacationLimit,
    playing_time,
    vacation_limit,
)
from sarsen.storage import move_path
from sarsen.storage.models import Heartbeat, Match, Vacation

# Between the last warning and the loss lies a quarter of the budget, within these bounds.
SHORTEST_NOTICE = timedelta(minutes=15)
MAX_NOTICE = timedelta(days=1)  # for a budget of months, too: a day is enough to read mail
NOTHING = timedelta()
AWAY_AFTER = timedelta(minutes=10)  # without a look at the clocks: the server was away
CLOCKS = "clocks"  # the heartbeat of the sweep over the clocks
SATURDAY = 5
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class ClockTurn:
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
        return max(SHORTEST_NOTICE, min(MAX_NOTICE, self.budget / 4))


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


def deadline(turn: ClockTurn) -> datetime:
    """Return the instant after which the turn is lost, not before the notice after a warning.

    Before the warning it is what the budget gives; a late warning moves it on.
    """
    due = end_of_budget(turn.began_at, max(turn.budget, turn.notice), turn.pauses)
    if turn.warned_at is None:
        return due
    return max(due, end_of_budget(turn.warned_at, turn.notice, turn.pauses))


def decide(turn: ClockTurn, now: datetime) -> Decision:
    """Decide what is due: at most one act at a time, however long nobody has looked."""
    due = deadline(turn)
    if turn.warned_at is not None:
        return Decision(Act.FORFEIT if now >= due else Act.WAIT, due, due)
    before_warning = max(turn.budget - turn.notice, NOTHING)
    warn_at = end_of_budget(turn.began_at, before_warning, turn.pauses)
    if now >= warn_at:
        due_after_warning = deadline(replace(turn, warned_at=now))
        return Decision(Act.WARN, due_after_warning, due_after_warning)
    if turn.was_nagged or turn.time.nag >= before_warning:
        return Decision(Act.WAIT, due, warn_at)
    nag_at = end_of_budget(turn.began_at, turn.time.nag, turn.pauses)
    return Decision(Act.NAG, due, warn_at) if now >= nag_at else Decision(Act.WAIT, due, nag_at)


def reserve_after(turn: ClockTurn, ended_at: datetime) -> timedelta | None:
    """Return the reserve once a move has ended the turn: less what it took, plus the increment."""
    if turn.reserve is None:
        return None
    used = counted_time(turn.began_at, ended_at, turn.pauses)
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
        None if seat.reserve is None else timedelta(seconds=seat.reserve) for seat in clock_seats
    )
    if pauses is None:
        pauses = pauses_at(match, match.turn_began_at)
    turn = ClockTurn(
        match.turn_began_at,
        time,
        reserves[match.seat_to_move],
        Pauses(
            pauses_of_player(pauses, mover.player_id, vacation_limit(match.terms)),
            zone_called(mover.zone) if time.weekends_are_off else None,
        ),
        warned_at=match.warned_at,
    )
    userids = {seat.player_id: seat.userid for seat in clock_seats}
    return ClockView(
        userid=mover.userid,
        zone=mover.zone,
        due_at=deadline(turn),
        reserve_after=None if turn.reserve is None else turn.reserve - turn.budget,
        reserves=reserves,
        away=tuple(
            Away(userids[pause.player_id], pause.begin, pause.end, pause.last_day)
            for pause in pauses
            if pause.player_id is not None
            and pause.last_day is not None
            and pause.end > match.turn_began_at
        ),
        weekends_are_off=time.weekends_are_off,
    )


@dataclass(frozen=True)
class Span:
    """A stretch of time from an instant to another, which does not belong to it."""

    begin: datetime
    end: datetime


@dataclass(frozen=True)
class Pauses:
    """When a clock stands still.

    Attributes:
        spans: In any order; they may overlap, touch, or lie in each other.
        weekends: The zone in which Saturdays and Sundays do not count; None if they do.
    """

    spans: tuple[Span, ...] = ()
    weekends: ZoneInfo | None = None


def counted_time(begin: datetime, end: datetime, pauses: Pauses) -> timedelta:
    """Return how much of the time from one instant to another counts; nothing backwards."""
    if end <= begin:
        return timedelta()
    total = end - begin
    for stop in _stops(pauses, begin):
        if stop.begin >= end:
            break
        total -= min(stop.end, end) - max(stop.begin, begin)
    return total


def end_of_budget(begin: datetime, budget: timedelta, pauses: Pauses) -> datetime:
    """Return when a budget that runs from an instant is used up. The pair of `counted_time`.

    Where that falls on the beginning of a pause it is the end of it: a clock never
    runs out while it stands still.
    """
    running_since, remaining = begin, budget
    for stop in _stops(pauses, begin):
        runs = stop.begin - running_since
        if remaining < runs:
            break
        remaining -= max(runs, timedelta())
        running_since = stop.end
    return running_since + remaining


def _stops(pauses: Pauses, since: datetime) -> Iterator[Span]:
    """Yield the pauses that end after an instant, in order, joined where they touch."""
    weekends = _weekends(pauses.weekends, since) if pauses.weekends else iter(())
    spans = sorted(pauses.spans, key=_begin)
    joined: Span | None = None
    for span in heapq.merge(spans, weekends, key=_begin):
        if span.end <= max(since, span.begin):
            continue
        if joined is None:
            joined = span
        elif span.begin <= joined.end:
            joined = Span(joined.begin, max(joined.end, span.end))
        else:
            yield joined
            joined = span
    if joined:
        yield joined


def _weekends(zone: ZoneInfo, since: datetime) -> Iterator[Span]:
    """Yield the weekends from the one at or before an instant, until the calendar ends."""
    today = since.astimezone(zone).date()
    saturday = today - timedelta(days=(today.weekday() - SATURDAY) % 7)
    while saturday.year < date.max.year:
        yield Span(midnight(saturday, zone), midnight(saturday + timedelta(days=2), zone))
        saturday += WEEK


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant a day begins in a zone; where clocks skip midnight, that of the skip."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _begin(span: Span) -> datetime:
    return span.begin


@dataclass(frozen=True)
class Pause:
    """A vacation of a player, or with None a time when the server was away."""

    player_id: int | None
    begin: datetime
    end: datetime
    last_day: date | None

    @property
    def span(self) -> Span:
        return Span(self.begin, self.end)


def pauses_at(match: Match, since: datetime) -> tuple[Pause, ...]:
    """Return what ends after an instant, not before the turn: vacations of players, downtimes."""
    rows = [] if match.has_downtimes is False else move_path.downtimes_since(since)
    downtimes = [Pause(None, begin, end, None) for begin, end in rows]
    if not any(seat.has_vacations for seat in match.seat_rows):
        return tuple(downtimes)
    since = vacations_since(match, since)
    vacations = Vacation.objects.filter(player__seats__match=match, ends_at__gt=since).order_by()
    vacation_rows = vacations.values_list(
        "player_id", "starts_at", "ends_at", "last_day"
    ).distinct()
    return (*(Pause(*row) for row in vacation_rows), *downtimes)


def pauses_of(players: Collection[int], since: datetime, now: datetime) -> tuple[Pause, ...]:
    """Return what ends after an instant: vacations of these players, and all downtimes.

    The silence of the server that lasts just now is among them, before the sweep has
    recorded it.
    """
    names = ("player_id", "starts_at", "ends_at", "last_day")
    vacations = Vacation.objects.filter(player_id__in=players, ends_at__gt=since)
    return (
        *(Pause(*row) for row in vacations.values_list(*names)),
        *(Pause(None, begin, end, None) for begin, end in move_path.downtimes_since(since)),
        *_current_downtime(now),
    )


def vacations_of_mover(match: Match, now: datetime) -> tuple[Span, ...]:
    """Return the present and planned vacations of the player to move that count. One query."""
    vacations = Vacation.objects.filter(
        player__seats__match=match,
        player__seats__seat=match.seat_to_move,
        ends_at__gt=vacations_since(match, now),
    )
    rows = vacations.order_by().values_list("starts_at", "ends_at")
    return counted_vacations([Span(*row) for row in rows], vacation_limit(match.terms))


def pauses_of_player(
    pauses: tuple[Pause, ...], player_id: int, limit: VacationLimit | None = None
) -> tuple[Span, ...]:
    """Return what stops the clock of one player.

    Args:
        limit: Of vacations; `pauses` then has all since its beginning.
    """
    vacations = [pause.span for pause in pauses if pause.player_id == player_id]
    downtimes = (pause.span for pause in pauses if pause.player_id is None)
    return (*counted_vacations(vacations, limit), *downtimes)


def vacations_since(match: Match, since: datetime) -> datetime:
    """Return from when on vacations must be known, so that those after an instant can be cut."""
    limit = vacation_limit(match.terms)
    return since if limit is None else min(since, limit.since)


def counted_vacations(vacations: Collection[Span], limit: VacationLimit | None) -> tuple[Span, ...]:
    """Return the vacations of a player as far as they stop clocks (E3).

    Args:
        limit: None where all count.
    """
    if limit is None:
        return tuple(vacations)
    left, counted = limit.total, []
    for span in sorted(vacations, key=_begin):
        begin = max(span.begin, limit.since)
        end = min(span.end, begin + left)
        if begin < end:
            counted.append(Span(begin, end))
            left -= end - begin
    return tuple(counted)


def uncounted_vacations(
    vacations: Collection[Span], limit: VacationLimit
) -> Iterator[tuple[Span, Span]]:
    """Yield the vacations that are longer than what is left, each with the part that counts not."""
    counted = {span.begin: span.end for span in counted_vacations(vacations, limit)}
    for span in sorted(vacations, key=_begin):
        begin = max(span.begin, limit.since)
        runs_on = counted.get(begin, begin)
        if runs_on < span.end:
            yield span, Span(runs_on, span.end)


def _current_downtime(now: datetime) -> tuple[Pause, ...]:
    heartbeat = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    if heartbeat is None or now - heartbeat <= AWAY_AFTER:
        return ()
    return (Pause(None, heartbeat, now, None),)
