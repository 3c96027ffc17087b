"""What players can be told of, and how each of them wants to hear it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from sarsen.language.grammar.dates import zone_called
from sarsen.storage.models import Match, Player


class Event(StrEnum):
    """The events of a player, in the words of `notices EVENT CHANNEL`."""

    TURN = "turn"  # it is your move
    MOVED = "moved"  # a move at a board of yours after which it is not your move
    STARTED = "started"  # a game of yours has begun
    ENDED = "ended"  # a game of yours is over
    INVITATION = "invitation"  # somebody challenges you
    CHALLENGE = "challenge"  # what became of a challenge
    OFFER = "offer"  # a draw is offered, a move shall be taken back, and the answers
    CHAT = "chat"  # words at a board of yours
    REMINDER = "reminder"  # your clock is running out
    PLAN = "plan"  # a queued move was played, or dropped
    MESSAGE = "message"  # private words from a player
    BROADCAST = "broadcast"  # words to everybody
    RATING = "rating"  # of release 0.4: a rating period was closed; nothing tells of it now
    REVIEW = "review"  # the review of a game is done
    WATCHED = "watched"  # something at a board you watch
    WEEKLY = "weekly"  # the weekly letter
    ACCOUNT = "account"  # security of your account; always a mail


class Channel(StrEnum):
    """How a player hears of an event."""

    MAIL = "mail"
    DIGEST = "digest"
    NONE = "none"


# Without them a game may be lost before its player hears of it.
LAST_WARNINGS = frozenset({Event.REMINDER, Event.ENDED})
# An operator's or a player's security is no matter of taste; see `Event.ACCOUNT`.
CHOSEN = tuple(event for event in Event if event not in (Event.ACCOUNT, Event.RATING))


def channel_of(player: Player, event: Event) -> Channel:
    """Return the channel a player has chosen for an event; a mail, as on the old server, if
    none.
    """
    if event is Event.ACCOUNT:
        return Channel.MAIL
    return Channel(player.channels.get(event, Channel.MAIL))


def with_choice(
    channels: Mapping[str, str], events: tuple[Event, ...], channel: Channel
) -> dict[str, str]:
    """Return the choices after one more; what is usual is not written down."""
    changed = {**channels, **{str(event): str(channel) for event in events}}
    return {event: chosen for event, chosen in changed.items() if chosen != Channel.MAIL}


def matrix(player: Player) -> dict[Event, Channel]:
    """Return every event with its channel."""
    return {event: channel_of(player, event) for event in (*CHOSEN, Event.ACCOUNT)}


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
