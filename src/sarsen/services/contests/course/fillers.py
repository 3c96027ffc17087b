"""Programs that make up the number of a contest (E29)."""

from __future__ import annotations

from datetime import datetime

from sarsen.services.bots.accounts import list_programs
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant
from sarsen.storage.models import Player

# Neither the weakest, who is no opponent, nor the strongest, who would win.
LEVELS = (2, 4, 6)
MAX_PEOPLE = 8  # with so many on a ladder its programs leave (E29)


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


def fill_ladder(held: Held, now: datetime) -> None:
    """Enter the programs of a new ladder, the strongest at the top."""
    for player in Player.objects.filter(level__in=LEVELS).order_by("-level"):
        contest_log.enter(held, player.pk, now)


def superfluous(held: Held) -> tuple[Entrant, ...]:
    """Return the programs of a ladder that are to leave it: enough people are on it."""
    if not held.state.law.has_fillers:
        return ()
    playing = [entrant for entrant in held.state.entrants if not entrant.is_out]
    programs = Player.objects.filter(pk__in=[one.player for one in playing]).exclude(level=None)
    keys = set(programs.values_list("pk", flat=True))
    if len(playing) - len(keys) < MAX_PEOPLE:
        return ()
    return tuple(entrant for entrant in playing if entrant.player in keys)
