"""Clocks and vacations: what a clock shows, the command, its replies and their wording."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.dates import day_words, moment, short_day, split_days, stretch
from sarsen.language.grammar.time_zones import zone_called
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.translating import N_, _, _n, sentence


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
        zone: Where they live.
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


OFF = "off"
_BETWEEN = ("from", "to", "until", "till", "-")


@dataclass(frozen=True)
class TakeVacation(Command):
    """Stop all clocks of the player for some days.

    Attributes:
        starts, ends: Days as typed (`2026-12-24`, `24 Dec`, `tomorrow`), both included.
        is_off: End the current vacation, and cancel the planned ones.
    """

    words = ("vacation", "holiday")
    usage = "vacation [USERID PASSWORD] FROM TO | vacation [USERID PASSWORD] off"
    summary = N_(
        "Stop all your clocks from one day to another, inclusive; the number of days in a year is "
        "limited."
    )
    scope = Scope.ACCOUNT

    starts: str = ""
    ends: str = ""
    is_off: bool = False

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read two days, or `off`."""
        is_known = bool(tokens.context.speaker)
        tokens.speaker(leaves=1)
        words = tokens.rest_words()
        if [word.lower() for word in words] == [OFF]:
            return cls(is_off=True)
        days = split_days(tuple(word for word in words if word.lower() not in _BETWEEN))
        if len(days) != 2:
            raise days_missing(is_known=is_known)
        return cls(days[0], days[1])


def days_missing(*, is_known: bool) -> UserError:
    """Return the refusal of a vacation without two days.

    Args:
        is_known: Whether the door knows the speaker.
    """
    speaker = "" if is_known else "USERID PASSWORD "
    return UserError(
        "A vacation needs a first and a last day.",
        code="vacation-days",
        hint=f"vacation {speaker}2026-12-24 2027-01-02",
    )


@dataclass(frozen=True)
class VacationTaken:
    """A vacation was started or planned; days in ISO format, both included.

    Attributes:
        today: Where the player lives.
        left: The years concerned, each with the days that are left of its allowance.
    """

    first_day: str
    last_day: str
    today: str
    left: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class VacationEnded:
    """The current vacation was ended, the planned ones were cancelled, or both."""

    was_away: bool
    was_planned: bool
    left: tuple[tuple[int, int], ...]


ClockReply = VacationTaken | VacationEnded


SATURDAY = 5


def clock_sentence(clock: ClockView, zone: str, now: datetime) -> str:
    """Return a text that says until when the move must come, and whether the clock stands still.

    `Ann must move by Tue 24 Nov 18:00 your time; then 4 days of reserve are left.`

    Args:
        zone: Where the reader lives; "" for one who has not said so.
    """
    due = moment(clock.due_at, zone, now)
    if now >= clock.due_at:
        text = _(
            "{userid} should have moved by {due}; a move still counts until the game is ended."
        )
        return text.format(userid=clock.userid, due=due)
    deadline = _("{userid} must move by {due}{then}.").format(
        userid=clock.userid, due=due, then=_after_words(clock)
    )
    reason = _why_still(clock, now)
    return f"{deadline} {reason}" if reason else deadline


def away_words(clock: ClockView, userid: str, now: datetime) -> str:
    """Return `(on vacation until Sat 2 Jan)` for a player who is away, or will be next; or ""."""
    first, last = away_days(clock, userid, now)
    today = now.date()
    if last is None:
        return ""
    if first is None:
        return _("(on vacation until {day})").format(day=day_words(last, today))
    if first == last:
        return _("(on vacation on {day})").format(day=day_words(first, today))
    return _("(on vacation from {first} to {last})").format(
        first=day_words(first, today), last=day_words(last, today)
    )


def away_days(clock: ClockView, userid: str, now: datetime) -> tuple[date | None, date | None]:
    """Return the first and last day of the present or next vacation of a player at a board.

    The first is None for one that has begun, and both are without any.
    """
    present = _away(clock, userid, now)
    if present is not None:
        return None, present.last_day
    planned = [
        vacation for vacation in clock.away if vacation.userid == userid and vacation.begin > now
    ]
    if not planned:
        return None, None
    away = min(planned, key=lambda vacation: vacation.begin)
    days = round((away.end - away.begin) / timedelta(days=1))  # an hour more or less in March
    return away.last_day - timedelta(days=days - 1), away.last_day


def away_label(first: date | None, last: date | None, today: date) -> str:
    """Return `away 1 to 10 Dec`, as pages show a vacation beside a name; "" without one.

    Args:
        first: None for a vacation that has begun.
    """
    if last is None:
        return ""
    end = short_day(last, today)
    if first is None or first <= today:
        return _("away until {day}").format(day=end)
    if first == last:
        return _("away on {day}").format(day=end)
    is_same_month = (first.year, first.month) == (last.year, last.month)
    begin = _("{day}").format(day=first.day) if is_same_month else short_day(first, today)
    return _("away {first} to {last}").format(first=begin, last=end)


def reserve_words(clock: ClockView, seat: int) -> str:
    """Return `(reserve: 12 days)` of a seat, as it was when this turn began; "" without a limit."""
    reserve = clock.reserves[seat]
    return "" if reserve is None else _("(reserve: {time})").format(time=stretch(reserve))


def _after_words(clock: ClockView) -> str:
    left = clock.reserve_after
    if left is None:
        return ""
    if left < timedelta(minutes=1):
        return _("; after that, no reserve is left")
    words = stretch(left)
    if words.startswith("1 ") and words.count(" ") == 1:
        return _("; then {time} of reserve is left").format(time=words)
    return _("; then {time} of reserve are left").format(time=words)


def _why_still(clock: ClockView, now: datetime) -> str:
    if _away(clock, clock.userid, now):
        return _("The clock is stopped: vacation.")
    is_weekend = now.astimezone(zone_called(clock.zone)).weekday() >= SATURDAY
    if clock.weekends_are_off and is_weekend:
        return _("The clock is stopped: weekend.")
    return ""


def _away(clock: ClockView, userid: str, now: datetime) -> Away | None:
    present = [
        away for away in clock.away if away.userid == userid and away.begin <= now < away.end
    ]
    return max(present, key=lambda away: away.end, default=None)


@sentence.register
def _vacation_taken(reply: VacationTaken) -> str:
    first, last = date.fromisoformat(reply.first_day), date.fromisoformat(reply.last_day)
    today = date.fromisoformat(reply.today)
    if first == last:
        when = _("Your clocks are stopped on {day}.").format(day=day_words(first, today))
    else:
        when = _("Your clocks are stopped from {first} to {last}, inclusive.").format(
            first=day_words(first, today), last=day_words(last, today)
        )
    return f"{when} {_left_words(reply.left)}"


@sentence.register
def _vacation_ended(reply: VacationEnded) -> str:
    ended = _("Your vacation is over; your clocks run again.") if reply.was_away else ""
    planned = _("Your planned vacation is cancelled.") if reply.was_planned else ""
    return " ".join(filter(None, (ended, planned, _left_words(reply.left))))


def _left_words(left: tuple[tuple[int, int], ...]) -> str:
    days_by_year = [
        _n("{count} day for {year}", "{count} days for {year}", days).format(count=days, year=year)
        for year, days in left
    ]
    return _("Left: {days}.").format(days=", ".join(days_by_year))
