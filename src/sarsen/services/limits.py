"""How much of a kind one player may do in a day; operators set it, refusals say when again."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.storage.models import Deed, Player

DAY = timedelta(days=1)


class Flood(UserError):
    """Refuse one deed too many.

    Attributes:
        seconds: After so many the next one is possible.
    """

    def __init__(self, text: str, *, code: str, hint: str, seconds: int) -> None:
        super().__init__(text, code=code, hint=hint)
        self.seconds = seconds


def check(player: Player, kind: str, now: datetime, *, what: str) -> None:
    """Refuse a deed beyond the day's number, else record it.

    Args:
        kind: A key of the setting `SARSEN_A_DAY`, such as `challenge`.
        what: The deeds in words, for the refusal: "challenges".

    Raises:
        UserError: Says when the next one is possible.
    """
    look(player, kind, now, what=what)
    Deed.objects.create(player=player, kind=kind, at=now)


def look(player: Player, kind: str, now: datetime, *, what: str) -> None:
    """Refuse a deed beyond the day's number, and record nothing.

    Raises:
        UserError: Says when the next one is possible.
    """
    most: int = settings.SARSEN_A_DAY[kind]
    if not most:
        raise UserError(f"There are no {what} on this server.", code=f"{kind}-off", hint="help")
    recent = Deed.objects.filter(player=player, kind=kind, at__gt=now - DAY)
    times = list(recent.order_by("-at").values_list("at", flat=True)[:most])
    if len(times) >= most:
        again = times[-1] + DAY
        minutes = max(int((again - now).total_seconds() // 60) + 1, 1)
        wait = f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"
        raise Flood(
            f"The limit of {what} here is {most} a day. The next one is possible in {wait}.",
            code=f"{kind}-flood",
            hint="Nothing was lost: send the same again then.",
            seconds=max(int((again - now).total_seconds()) + 1, 1),
        )
