"""Instants and stretches of time in words."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from sarsen.language.zones import UTC_NAME, zone_called

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def moment(at: datetime, zone: str, now: datetime) -> str:
    """Say an instant as its reader's clock shows it: `Tue 24 Nov 18:00 your time`.

    Args:
        zone: Where the reader lives; "" or UTC for one who has not said so.
    """
    place = zone_called(zone or UTC_NAME)
    local, today = at.astimezone(place), now.astimezone(place).date()
    whose = "your time" if zone and zone != UTC_NAME else UTC_NAME
    return f"{day_words(local.date(), today)} {local:%H:%M} {whose}"


def day_words(day: date, today: date) -> str:
    """Say a day: `Tue 24 Nov`; with the year where it is not today's."""
    # Our own names: those of `strftime` follow the machine's language.
    words = f"{_DAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]}"
    return words if day.year == today.year else f"{words} {day.year}"


def stretch(time: timedelta) -> str:
    """Say a length of time in its two largest units: `4 days`, `1 day 6 hours`, `20 minutes`."""
    minutes = int(time.total_seconds() // 60)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    counts = [(days, "day"), (hours, "hour"), (0 if days else minutes, "minute")]
    words = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in counts if count]
    return " ".join(words) or "no time"
