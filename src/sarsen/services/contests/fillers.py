"""Programs that make up the number of a contest (E29)."""

from __future__ import annotations

from datetime import datetime

from sarsen.services.bots.accounts import list_programs
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.log import Held
from sarsen.storage.models import Player

# Neither the weakest, who is no opponent, nor the strongest, who would win.
LEVELS = (2, 4, 6)


def fill(held: Held, now: datetime, due: datetime) -> bool:
    """Enter as many programs as are missing; return whether there are enough players then."""
    missing = held.state.law.least - len(held.state.entrants)
    levels = [program.level for program in list_programs()]
    chosen = [level for level in LEVELS if level in levels][: max(missing, 0)]
    if len(chosen) < missing:
        return False  # this server has too few programs just now
    for player in Player.objects.filter(level__in=chosen).order_by("level"):
        contest_log.enter(held, player.pk, now, due)
    return True
