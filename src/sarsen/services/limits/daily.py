"""How often one player may do a thing in a day; a refusal says when again."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.core.phrases import Fact, Phrase
from sarsen.storage.models import AuditEntry, Player
from sarsen.storage.transactions import await_turn

DAY = timedelta(days=1)
# By kind.
# Of one player: far more than anybody needs who plays much, and few enough that others, who get a
# letter or wait for the thinker, are not flooded.
MAX_A_DAY = {
    "challenge": 60,
    "invite": 3,  # letters to people who have not asked for one
    "withdraw": 60,
    "message": 50,
    "broadcast": 1,  # a letter to everybody
    "report": 10,
    "wish": 30,
    "chat": 300,
    "note": 300,
    "plan": 500,
    "offer": 60,
    "account": 40,
    "login": 100,  # mails to log in with, from all places together
    "review": 20,
    "lesson": 200,  # tries by every door together
    "puzzle": 200,  # tries by every door together
    "bots": 3,  # games between two programs, to watch
}
_NAMES = {
    "challenge": Phrase("challenges"),
    "invite": Phrase("invitations by mail"),
    "withdraw": Phrase("withdrawals"),
    "message": Phrase("messages"),
    "broadcast": Phrase("broadcasts"),
    "report": Phrase("reports"),
    "wish": Phrase("wishes"),
    "chat": Phrase("chat messages"),
    "note": Phrase("notes"),
    "plan": Phrase("changes to plans"),
    "offer": Phrase("draw offers and takeback requests"),
    "account": Phrase("changes to your account"),
    "login": Phrase("login mails"),
    "review": Phrase("reviews"),
    "lesson": Phrase("tries at lessons"),
    "puzzle": Phrase("tries at puzzles"),
    "bots": Phrase("games between programs"),
}


class Flood(UserError):
    """Refuse one action too many.

    Attributes:
        seconds: After so many the next one is possible.
    """

    def __init__(self, text: str, *, code: str, hint: str, seconds: int, **facts: Fact) -> None:
        super().__init__(text, code=code, hint=hint, **facts)
        self.seconds = seconds


def check(player: Player, kind: str, now: datetime, *, kept: float = 0.0) -> None:
    """Refuse an action beyond the day's number, else record it.

    Args:
        kind: A key of `MAX_A_DAY`, such as `challenge`.
        kept: The share of the day's number that is for others than the one who asks now.

    Raises:
        UserError: Says when the next one is possible.
    """
    with transaction.atomic(savepoint=False):
        # Several requests of a player at once are counted one after the other.
        await_turn(f"limit {player.pk} {kind}")
        require_room(player, kind, now, kept=kept)
        AuditEntry.objects.create(player=player, kind=kind, at=now)


def require_room(player: Player, kind: str, now: datetime, *, kept: float = 0.0) -> None:
    """Refuse an action beyond the day's number, and record nothing.

    Raises:
        UserError: Says when the next one is possible.
    """
    most = MAX_A_DAY[kind] - int(MAX_A_DAY[kind] * kept)
    recent = AuditEntry.objects.filter(player=player, kind=kind, at__gt=now - DAY)
    times = list(recent.order_by("-at").values_list("at", flat=True)[:most])
    if len(times) >= most:
        next_at = times[-1] + DAY
        minutes = max(int((next_at - now).total_seconds() // 60) + 1, 1)
        raise Flood(
            "Your limit for {what} is {most} a day. Try again in {wait} minutes."
            if minutes < 120
            else "Your limit for {what} is {most} a day. Try again in {wait} hours.",
            code=f"{kind}-flood",
            hint="Nothing was lost: just send it again later.",
            seconds=max(int((next_at - now).total_seconds()) + 1, 1),
            what=_NAMES[kind],
            most=most,
            wait=minutes if minutes < 120 else minutes // 60,
        )
