"""Vacations longer than a contest allows: its clocks run on, and that is told before (E3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sarsen.services.clocks.turns import Pause, uncounted_vacations
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant, Kind
from sarsen.services.matches.terms import VacationLimit
from sarsen.services.notices import Event, notify
from sarsen.services.request import Request
from sarsen.storage.models import Player

RUNS_OUT = "contest-vacation"  # the letter
TOLD_BEFORE = timedelta(days=2)
WHY = "vacation"  # of the event of its warning


@dataclass(frozen=True)
class RunOut:
    """The instant at which a vacation stops no clock of a contest any more.

    Attributes:
        due: Of the letter: two days before, or when the vacation begins.
    """

    entrant: Entrant
    at: datetime
    due: datetime


def limit_of(held: Held) -> VacationLimit | None:
    """Return how much vacation counts in a running contest; None where all does."""
    days, since = held.contest.law.get("vacation"), held.state.started_at
    return None if days is None or since is None else VacationLimit(since, timedelta(days=days))


def run_outs(held: Held, pauses: tuple[Pause, ...]) -> Iterator[RunOut]:
    """Yield the vacations that are too long, and of which their players are not told yet.

    Args:
        pauses: All vacations of the entrants that ended after the start.
    """
    limit = limit_of(held)
    if limit is None:
        return
    told = {
        (event.facts["player"], event.facts["until"])
        for event in held.log
        if event.kind == Kind.WARNED and event.facts["why"] == WHY
    }
    away = {pause.player_id for pause in pauses}
    for entrant in held.state.entrants:
        if entrant.is_out or entrant.player not in away:
            continue
        own = [pause.span for pause in pauses if pause.player_id == entrant.player]
        for vacation, rest in uncounted_vacations(own, limit):
            if (entrant.player, rest.begin.isoformat()) not in told:
                due = max(rest.begin - TOLD_BEFORE, vacation.begin, limit.since)
                yield RunOut(entrant, rest.begin, due)


def tell(held: Held, run_out: RunOut, request: Request) -> bool:
    """Write to a player until when the vacation counts in the contest; return that it is done."""
    until = run_out.at.isoformat()
    facts = {"player": run_out.entrant.player, "why": WHY, "until": until}
    held.add(Kind.WARNED, request.now, facts, due=run_out.due)
    letter = {
        "contest": held.contest.pk,
        "until": until,
        "days": held.contest.law["vacation"],
    }
    player = Player.objects.get(pk=run_out.entrant.player)
    notify(player, Event.CONTEST, RUNS_OUT, letter, request.now)
    return True
