"""The events that players can be notified of, and the channel that each has chosen for an event."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from sarsen.storage.models import Player


class Event(StrEnum):
    """The events of a player, in the words of `notices EVENT CHANNEL`."""

    TURN = "turn"  # it is your move
    MOVED = "moved"  # a move at a board of yours after which it is not your move
    STARTED = "started"  # a game of yours has begun
    ENDED = "ended"  # a game of yours is over
    INVITATION = "invitation"  # somebody challenges you
    CHALLENGE = "challenge"  # what became of a challenge
    CONTEST = "contest"  # an invitation to a match, or news of a contest of yours
    OFFER = "offer"  # a draw is offered, a move shall be taken back, and the answers
    CHAT = "chat"  # words at a board of yours
    REMINDER = "reminder"  # your clock is running out
    PLAN = "plan"  # a queued move was played, or dropped
    MESSAGE = "message"  # private words from a player
    BROADCAST = "broadcast"  # words to everybody
    NEW_GAME = "newgame"  # a game is announced to everybody
    RATING = "rating"  # of release 0.4: a rating period was closed; nothing tells of it now
    REVIEW = "review"  # the review of a game is done
    WATCHED = "watched"  # something at a board you follow
    WEEKLY = "weekly"  # the weekly letter
    PUZZLE = "puzzle"  # the puzzle of the day
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

# What a device shows unless its player says otherwise.
_USUAL_ON_DEVICES = (
    Event.TURN,
    Event.STARTED,
    Event.ENDED,
    Event.INVITATION,
    Event.OFFER,
    Event.CHAT,
    Event.REMINDER,
    Event.MESSAGE,
)


def channel_of(player: Player, event: Event) -> Channel:
    """Return the channel a player has chosen for an event; a mail, as on the old server, if
    none.
    """
    if event is Event.ACCOUNT:
        return Channel.MAIL
    return Channel(player.channels.get(event, Channel.MAIL))


def is_told(player: Player, event: Event) -> bool:
    """Return whether a player is told of an event at all, by whatever channel."""
    return (
        player.is_active and player.level is None and channel_of(player, event) is not Channel.NONE
    )


def gets_mail(player: Player, event: Event) -> bool:
    """Return whether a player is told of an event by a mail of its own, at a working address."""
    is_reached = not (player.is_guest or player.is_unreached)
    return is_reached and channel_of(player, event) is Channel.MAIL


def wanted_on_devices(player: Player) -> tuple[Event, ...]:
    """Return the events that a player's devices show."""
    return (
        _USUAL_ON_DEVICES
        if player.pushed is None
        else tuple(Event(event) for event in player.pushed)
    )


def with_choice(
    channels: Mapping[str, str], events: tuple[Event, ...], channel: Channel
) -> dict[str, str]:
    """Return the choices after one more; what is usual is not written down."""
    changed = {**channels, **{str(event): str(channel) for event in events}}
    return {event: chosen for event, chosen in changed.items() if chosen != Channel.MAIL}


def channels_by_event(player: Player) -> dict[Event, Channel]:
    """Return every event with its channel."""
    return {event: channel_of(player, event) for event in (*CHOSEN, Event.ACCOUNT)}
