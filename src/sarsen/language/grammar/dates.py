"""Days and times, as people type them and as they read them: `24.12.2026`, `Tue 24 Nov 18:00`."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.grammar.time_zones import UTC_NAME, zone_called
from sarsen.language.translating import N_, _, _n

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})\.? ([a-z]{3,9})\.?(?: (\d{4}))?", re.ASCII)
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.? (\d{1,2})(?: (\d{4}))?", re.ASCII)


def split_days(words: tuple[str, ...]) -> tuple[str, ...]:
    """Join the words of one day: `24 Dec 2 Jan 2027` becomes `24 Dec` and `2 Jan 2027`."""
    days: list[str] = []
    for word in words:
        if days and _belongs(days[-1], word):
            days[-1] += f" {word}"
        else:
            days.append(word)
    return tuple(days)


def read_day(text: str, today: date, after: date | None = None) -> date:
    """Read a day; one without a year is the next of its name.

    Args:
        today: Where the reader lives.
        after: The first day it may be, where that is another than today.

    Raises:
        UserError: It is no day.
    """
    typed = " ".join(text.lower().split()).rstrip(",")
    if typed in ("today", "tomorrow", "now"):
        return today + timedelta(days=typed == "tomorrow")
    parts = _parts(typed)
    if parts is None:
        raise _no_day(text)
    day, month, year = parts
    since = after or today
    try:
        if year is not None:
            return date(year, month, day)
        candidate = date(since.year, month, day)
        return candidate if candidate >= since else date(since.year + 1, month, day)
    except ValueError:
        raise _no_day(text) from None


def _parts(text: str) -> tuple[int, int, int | None] | None:
    """Return day, month and year; None for what is written otherwise."""
    if fields := _ISO.fullmatch(text):
        return int(fields[3]), int(fields[2]), int(fields[1])
    if fields := _DOTTED.fullmatch(text):
        return (
            int(fields[1]),
            int(fields[2]),
            int(fields[3]) if fields[3] else None,
        )
    if fields := _DAY_FIRST.fullmatch(text):
        day, name, year = fields[1], fields[2], fields[3]
    elif fields := _MONTH_FIRST.fullmatch(text):
        name, day, year = fields[1], fields[2], fields[3]
    else:
        return None
    if name[:3] not in _MONTHS:
        return None
    return int(day), _MONTHS.index(name[:3]) + 1, int(year) if year else None


def _belongs(begun: str, word: str) -> bool:
    """Return whether a word goes on with the day begun before it."""
    last = begun.split()[-1].rstrip(".,")
    is_month = word[:3].lower() in _MONTHS and word.rstrip(".,").isalpha()
    if begun.count(" ") == 0:
        return (last.isdigit() and is_month) or (
            last[:3].lower() in _MONTHS and last.isalpha() and word.rstrip(".,").isdigit()
        )
    is_year = word.isdigit() and len(word) == 4
    return begun.count(" ") == 1 and is_year


def _no_day(text: str) -> UserError:
    return UserError(
        "{typed} is not a day.",
        code="unreadable-day",
        hint="vacation 2026-12-24 2027-01-02",
        typed=quoted(text),
    )


def moment(at: datetime, zone: str, now: datetime) -> str:
    """Return an instant as the reader's clock shows it: `Tue 24 Nov 18:00 your time`.

    Args:
        zone: Where the reader lives; "" or UTC for one who has not said so.
    """
    place = zone_called(zone or UTC_NAME)
    local, today = at.astimezone(place), now.astimezone(place).date()
    local_time = f"{day_words(local.date(), today)} {local:%H:%M}"
    if zone and zone != UTC_NAME:
        return _("{moment} your time").format(moment=local_time)
    return f"{local_time} {UTC_NAME}"


def day_words(day: date, today: date) -> str:
    """Return a day: `Tue 24 Nov`; with the year where it is not today's."""
    facts = {"weekday": _weekday(day), "day": day.day, "month": _month(day)}
    if day.year == today.year:
        return _("{weekday} {day} {month}").format(**facts)
    return _("{weekday} {day} {month} {year}").format(**facts, year=day.year)


def day_phrase(day: date, today: date) -> Phrase:
    """Return a day as `day_words`, to be worded when somebody reads it."""
    facts: dict[str, str | int] = {
        "weekday": Phrase(_WEEKDAY_NAMES[day.weekday()]),
        "day": day.day,
        "month": Phrase(_MONTH_NAMES[day.month - 1]),
    }
    if day.year == today.year:
        return Phrase("{weekday} {day} {month}", **facts)
    return Phrase("{weekday} {day} {month} {year}", **facts, year=day.year)


def short_day_phrase(day: date, today: date) -> Phrase:
    """Return a day as `short_day`, to be worded when somebody reads it."""
    month = Phrase(_MONTH_NAMES[day.month - 1])
    if day.year == today.year:
        return Phrase("{day} {month}", day=day.day, month=month)
    return Phrase("{day} {month} {year}", day=day.day, month=month, year=day.year)


def short_day(day: date, today: date) -> str:
    """Return a day without its weekday: `24 Nov`; with the year where it is not today's."""
    facts = {"day": day.day, "month": _month(day)}
    if day.year == today.year:
        return _("{day} {month}").format(**facts)
    return _("{day} {month} {year}").format(**facts, year=day.year)


def stretch(time: timedelta) -> str:
    """Return a duration in its two largest units: `4 days`, `1 day 6 hours`, `20 minutes`."""
    minutes = int(time.total_seconds() // 60)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    words = [
        _n("{count} day", "{count} days", days).format(count=days) if days else "",
        _n("{count} hour", "{count} hours", hours).format(count=hours) if hours else "",
        _n("{count} minute", "{count} minutes", minutes).format(count=minutes)
        if minutes and not days
        else "",
    ]
    return " ".join(filter(None, words)) or _("no time")


def short_stretch(time: timedelta) -> str:
    """Return a duration in its two largest units, cut short: `4 d`, `1 d 6 h`, `20 m`."""
    minutes = int(time.total_seconds() // 60)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    counts = (days, hours, 0 if days else minutes)
    units = _("d h m").split()
    words = [f"{count} {unit}" for count, unit in zip(counts, units, strict=True) if count]
    return " ".join(words) or _("no time")


# Our own names: those of `strftime` follow the machine's language.
_WEEKDAY_NAMES = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))
_MONTH_NAMES = (
    *(N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun")),
    *(N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")),
)


def _weekday(day: date) -> str:
    return _(_WEEKDAY_NAMES[day.weekday()])


def _month(day: date) -> str:
    return _(_MONTH_NAMES[day.month - 1])
