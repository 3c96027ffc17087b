"""What players are told, and by which channel: the one way a letter to a player begins.

Handlers call `notify`; what the player has chosen decides whether that becomes
a letter now, a line of the next digest, or nothing.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sarsen.services import letters
from sarsen.storage.models import Match, Player


class Event(StrEnum):
    """What can happen to a player, in the words of `notices EVENT CHANNEL`."""

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
    RATING = "rating"  # a rating period is closed
    WATCHED = "watched"  # something at a board you watch
    WEEKLY = "weekly"  # the weekly letter
    ACCOUNT = "account"  # security of your account; always a mail


class Channel(StrEnum):
    """How a player hears of an event."""

    MAIL = "mail"
    DIGEST = "digest"
    NONE = "none"


def channel_of(player: Player, event: Event) -> Channel:
    """Give the channel a player has chosen for an event, or the usual one."""
    return Channel(player.channels.get(event, Channel.MAIL))


def notify(
    player: Player,
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
) -> None:
    """Tell a player of an event.

    Args:
        kind: Which letter says it.
        facts: What that letter needs.
    """
    if event is Event.ACCOUNT or channel_of(player, event) is Channel.MAIL:
        letters.queue_for(player, kind, facts, now, match=match)
