"""Words about clocks, vacations, time zones and weekends."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from sarsen.language.clocks import Away, ClockView
from sarsen.language.replies.clocks import (
    LanguageChanged,
    TimezoneChanged,
    VacationEnded,
    VacationTaken,
    WeekendsChanged,
)
from sarsen.language.translating import _, speaking
from sarsen.language.wording.moments import day_words, moment, stretch
from sarsen.language.wording.said import sentence
from sarsen.language.zones import zone_called

SATURDAY = 5


def clock_sentence(clock: ClockView, zone: str, now: datetime) -> str:
    """Return a text that says until when the move must come, and whether the clock stands still.

    `Ann must move by Tue 24 Nov 18:00 your time; then 4 days of reserve are left.`

    Args:
        zone: Where the reader lives; "" for one who has not said so.
    """
    due = moment(clock.due_at, zone, now)
    if now >= clock.due_at:
        text = _("{userid} had to move by {due}; a move counts until the game is ended.")
        return text.format(userid=clock.userid, due=due)
    said = _("{userid} must move by {due}{then}.").format(
        userid=clock.userid, due=due, then=_after_words(clock)
    )
    still = _why_still(clock, now)
    return f"{said} {still}" if still else said


def away_words(clock: ClockView, userid: str, now: datetime) -> str:
    """Say `(on vacation until Sat 2 Jan)` of a player who is away just now; else ""."""
    away = _away(clock, userid, now)
    if away is None:
        return ""
    return _("(on vacation until {day})").format(day=day_words(away.last_day, now.date()))


def reserve_words(clock: ClockView, seat: int) -> str:
    """Say `(reserve: 12 days)` of a seat, as it was when this turn began; "" without a bound."""
    reserve = clock.reserves[seat]
    return "" if reserve is None else _("(reserve: {time})").format(time=stretch(reserve))


def _after_words(clock: ClockView) -> str:
    left = clock.reserve_after
    if left is None:
        return ""
    if left < timedelta(minutes=1):
        return _("; then no reserve is left")
    words = stretch(left)
    if words.startswith("1 ") and words.count(" ") == 1:
        return _("; then {time} of reserve is left").format(time=words)
    return _("; then {time} of reserve are left").format(time=words)


def _why_still(clock: ClockView, now: datetime) -> str:
    if _away(clock, clock.userid, now):
        return _("The clock stands still: a vacation.")
    is_weekend = now.astimezone(zone_called(clock.zone)).weekday() >= SATURDAY
    if clock.weekends_are_off and is_weekend:
        return _("The clock stands still: a weekend.")
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
        when = f"On {day_words(first, today)}"
    else:
        when = f"From {day_words(first, today)} to {day_words(last, today)}, both included,"
    return f"{when} all your clocks stand still. {_left_words(reply.left)}"


@sentence.register
def _vacation_ended(reply: VacationEnded) -> str:
    ended = "Your vacation is over; your clocks run again." if reply.was_away else ""
    planned = "The vacation you had planned is forgotten." if reply.was_planned else ""
    return " ".join(filter(None, (ended, planned, _left_words(reply.left))))


def _left_words(left: tuple[tuple[int, int], ...]) -> str:
    words = [f"{days} day{'' if days == 1 else 's'} for {year}" for year, days in left]
    return f"Left: {', '.join(words)}."


@sentence.register
def _timezone_changed(reply: TimezoneChanged) -> str:
    now = datetime.fromisoformat(reply.at)
    local = now.astimezone(zone_called(reply.zone))
    shown = f"{day_words(local.date(), local.date())} {local:%H:%M}"
    return f"Your time zone is {reply.zone}, where it is now {shown}. Deadlines are told in it."


@sentence.register
def _language_changed(reply: LanguageChanged) -> str:
    with speaking(reply.language):
        return _("Mails and pages speak English to you from now on.")


@sentence.register
def _weekends_changed(reply: WeekendsChanged) -> str:
    if reply.are_off:
        return (
            "Saturdays and Sundays do not count in games that begin from now on, where the other "
            "players want that too. Running games stay as they are."
        )
    return "Weekends count in games that begin from now on. Running games stay as they are."
