"""When a letter may come: local hours, quiet ones, and the hour of the digest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from sarsen.language.zones import zone_called
from sarsen.services.notices.events import Event
from sarsen.storage.models import Match, Player

# A reminder waits for the end of the quiet hours only while more than this is left then.
LEFT_AFTER_QUIET = timedelta(hours=24)


def next_hour(zone: tzinfo, hour: int, now: datetime) -> datetime:
    """Return the next time at which it is `hour` o'clock in a zone, after now."""
    local = now.astimezone(zone)
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if at.astimezone(UTC) <= now:
        # By the calendar, not by 24 hours: clocks are put forward and back.
        at = datetime.combine(local.date() + timedelta(days=1), at.timetz())
    return at.astimezone(UTC)


def digest_time(player: Player, now: datetime) -> datetime:
    """Return the time of a player's next digest."""
    return next_hour(zone_called(player.timezone), player.digest_hour, now)


def quiet_end(player: Player, now: datetime) -> datetime | None:
    """Return the end of the quiet hours that reign now; None when there are none."""
    begins, ends = player.quiet_from, player.quiet_until
    if begins is None or ends is None or begins == ends:
        return None
    hour = now.astimezone(zone_called(player.timezone)).hour
    is_quiet = begins <= hour < ends if begins < ends else hour >= begins or hour < ends
    return next_hour(zone_called(player.timezone), ends, now) if is_quiet else None


def not_before(player: Player, event: Event, now: datetime, match: Match | None) -> datetime:
    """Return the time before which a letter of an event does not go."""
    end = quiet_end(player, now)
    if end is None or event is Event.ACCOUNT:
        return now
    if event is Event.REMINDER:
        due = match.due_at if match is not None else None
        if due is None or due - end < LEFT_AFTER_QUIET:
            return now
    return end
