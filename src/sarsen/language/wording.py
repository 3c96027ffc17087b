"""Find the words for a reply by its class."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import singledispatch

from sarsen.language.grammar.dates import UTC_NAME, zone_called
from sarsen.language.translating import _, _n, later


@singledispatch
def sentence(reply: object) -> str:
    """Return a reply in one or a few sentences.

    "" for replies that only show something, such as boards and tables.
    """
    return ""


def moment(at: datetime, zone: str, now: datetime) -> str:
    """Return an instant as the reader's clock shows it: `Tue 24 Nov 18:00 your time`.

    Args:
        zone: Where the reader lives; "" or UTC for one who has not said so.
    """
    place = zone_called(zone or UTC_NAME)
    local, today = at.astimezone(place), now.astimezone(place).date()
    said = f"{day_words(local.date(), today)} {local:%H:%M}"
    if zone and zone != UTC_NAME:
        return _("{moment} your time").format(moment=said)
    return f"{said} {UTC_NAME}"


def day_words(day: date, today: date) -> str:
    """Return a day: `Tue 24 Nov`; with the year where it is not today's."""
    facts = {"weekday": _weekdays()[day.weekday()], "day": day.day, "month": _month(day)}
    if day.year == today.year:
        return _("{weekday} {day} {month}").format(**facts)
    return _("{weekday} {day} {month} {year}").format(**facts, year=day.year)


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


def _weekdays() -> tuple[str, ...]:
    # Our own names: those of `strftime` follow the machine's language.
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))


def _month(day: date) -> str:
    first_half = (_("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"))
    second_half = (_("Jul"), _("Aug"), _("Sep"), _("Oct"), _("Nov"), _("Dec"))
    return (first_half + second_half)[day.month - 1]


# By level, from 1 on.
LEVEL_WORDS = (
    later("beginner"),
    later("novice"),
    later("casual player"),
    later("fair player"),
    later("good player"),
    later("strong player"),
    later("expert"),
    later("strongest"),
)
LEVELS = range(1, len(LEVEL_WORDS) + 1)


def level_words(level: int) -> str:
    """Return the words for a level."""
    return _(LEVEL_WORDS[level - 1])


MARK = " (program)"


def marked(userid: str, *, is_program: bool) -> str:
    """Return a userid as everybody is shown it: `bot5 (program)`."""
    return f"{userid}{MARK}" if is_program else userid


ANSWER_TO_CHAT = "I am a program of level {level}: I play, but I cannot talk. A good game to you!"
LAST_WORDS = "This is lost for me, whatever I play: you have shown it well. Thank you for the game."


def warming_words(program: str) -> str:
    """Return a text that says that a program cannot move yet, and that nothing has to be done
    about it.
    """
    text = _(
        "{program} is warming up, about a minute after the first start of this server. Its move "
        "comes by itself."
    )
    return text.format(program=program)
