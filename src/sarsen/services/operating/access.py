"""End what speaks for a player: sessions of browsers, tokens of programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from sarsen.services import background, letters
from sarsen.storage.models import Player, Question, Token, WebSession


@dataclass(frozen=True)
class Ended:
    """How much was ended."""

    sessions: int
    tokens: int


@transaction.atomic
def end_access(player: Player, reason: str, now: datetime) -> Ended:
    """Log a player out everywhere and revoke his tokens, and tell him why."""
    ended = cut_off(player)
    facts = {"reason": reason, "sessions": ended.sessions, "tokens": ended.tokens}
    letters.queue_for(player, "access-ended", facts, now)
    background.wake(background.SEND_MAIL)
    return ended


def cut_off(player: Player) -> Ended:
    """End sessions, tokens, and letters to log in with that wait."""
    sessions = WebSession.objects.filter(player=player).delete()[0]
    tokens = Token.objects.filter(player=player).delete()[0]
    Question.objects.filter(player=player).delete()
    return Ended(sessions, tokens)
