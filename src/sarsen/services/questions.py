"""Questions to a player about the account, whose action waits for a confirmation."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sarsen.core.errors import UserError
from sarsen.storage.models import Player, Question

# A letter may lie unread for a while; a yes after longer may be meant for something else.
LASTS = timedelta(days=14)
ANSWERED = ("signoff", "forget", "broadcast", "contest", "close")  # by a yes or a no


def ask(player: Player, kind: str, facts: dict[str, Any], now: datetime) -> None:
    """Store a question until its answer; a newer one of the kind replaces it."""
    Question.objects.update_or_create(
        player=player, kind=kind, defaults={"facts": facts, "asked_at": now}
    )


def drop(player: Player, kind: str) -> None:
    """Forget a question; a yes to it does nothing any more."""
    Question.objects.filter(player=player, kind=kind).delete()


def take(player: Player, kind: str, now: datetime) -> dict[str, Any]:
    """Return the facts stored with a question, and delete the question.

    Raises:
        UserError: Nothing of this kind waits.
    """
    question = (
        # Locked: an answer that comes twice finds the question once.
        Question.objects.select_for_update(of=("self",))
        .filter(player=player, kind=kind, asked_at__gt=now - LASTS)
        .first()
    )
    if question is None:
        asked = {"forget": "signoff forget", "close": "contest close"}.get(kind, kind)
        raise UserError(
            "There is no {asked} to confirm.",
            code="nothing-to-confirm",
            hint="contests" if kind in ("contest", "close") else asked,
            asked=asked,
        )
    question.delete()
    facts: dict[str, Any] = question.facts
    return facts


def only_waiting_kind(player: Player) -> str:
    """Return the kind of the question a bare yes answers: the only one that waits, or ""."""
    kinds = list(
        Question.objects.filter(player=player, kind__in=ANSWERED).values_list("kind", flat=True)
    )
    return kinds[0] if len(kinds) == 1 else ""
