"""Entrants of a ladder who have not played for long: told, then one place down each week (E27)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sarsen.services.clocks.turns import Pauses, end_of_budget, pauses_of, pauses_of_player
from sarsen.services.contests.course import absences
from sarsen.services.contests.formats.ladder import Climb, climbs_of
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant, Kind, Logged
from sarsen.services.notices import Event, notify
from sarsen.services.request import Request
from sarsen.storage.models import Player

# Without a board of the ladder that runs or has ended, vacations left out.
IDLE, TOLD, EACH = timedelta(days=60), timedelta(days=53), timedelta(days=7)
WHY = "idle"  # of the warning


@dataclass(frozen=True)
class Idle:
    """A warning to an entrant, or the loss of a place.

    Attributes:
        due: When.
        is_lowering: It is the loss.
    """

    entrant: Entrant
    due: datetime
    is_lowering: bool


def idle_ones(held: Held, now: datetime) -> Iterator[Idle]:
    """Yield what is due next of each entrant who does not play here; programs wait for climbs."""
    playing = [entrant for entrant in held.state.entrants if not entrant.is_out]
    people = Player.objects.filter(pk__in=[one.player for one in playing], level=None)
    keys = set(people.values_list("pk", flat=True))
    climbs = climbs_of(held.state)
    busy = {number for climb in climbs if climb.is_running for number in climb.numbers}
    idle = [one for one in playing if one.player in keys and one.number not in busy]
    entered_at, ends, acts = absences.entries(held), _last_ends(climbs), _acts(held)
    since = {
        one: max(entered_at[one.player], ends.get(one.number, entered_at[one.player]))
        for one in idle
    }
    pauses = pauses_of(keys, min(since.values(), default=now), now)
    for entrant, began in since.items():
        own = Pauses(pauses_of_player(pauses, entrant.player))
        yield _next(entrant, [act for act in acts[entrant.player] if act.due > began], began, own)


def carry_out(held: Held, idle: Idle, request: Request) -> None:
    """Warn, or put one place down."""
    facts = {"player": idle.entrant.player}
    if idle.is_lowering:
        held.add(Kind.LOWERED, request.now, facts, due=idle.due)
        return
    held.add(Kind.WARNED, request.now, facts | {"why": WHY}, due=idle.due)
    letter = {"contest": held.contest.pk, "why": WHY, "event": len(held.log)}
    player = Player.objects.get(pk=idle.entrant.player)
    notify(player, Event.CONTEST, absences.WARNED, letter, request.now)


def _last_ends(climbs: Iterable[Climb]) -> Mapping[int, datetime]:
    """Return when the last board of each entrant ended, by number."""
    ends: dict[int, datetime] = {}
    for climb in climbs:
        for number in climb.numbers:
            if climb.ended_at is not None:
                ends[number] = max(ends.get(number, climb.ended_at), climb.ended_at)
    return ends


def _acts(held: Held) -> Mapping[int, list[Logged]]:
    """Return the warnings and losses of places of each player."""
    acts: dict[int, list[Logged]] = defaultdict(list)
    for event in held.log:
        is_warning = event.kind == Kind.WARNED and event.facts["why"] == WHY
        if is_warning or event.kind == Kind.LOWERED:
            acts[event.facts["player"]].append(event)
    return acts


def _next(entrant: Entrant, acts: Sequence[Logged], began: datetime, pauses: Pauses) -> Idle:
    """Return what comes next for an entrant who does not play.

    Args:
        acts: Since then.
        began: When the last board ended, or when the entrant entered.
    """
    lowered = [act.due for act in acts if act.kind == Kind.LOWERED]
    if lowered:
        return Idle(entrant, end_of_budget(lowered[-1], EACH, pauses), is_lowering=True)
    length = IDLE if acts else TOLD
    return Idle(entrant, end_of_budget(began, length, pauses), is_lowering=bool(acts))
