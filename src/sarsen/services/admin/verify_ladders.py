"""Compare the climbs and the losses of places in the log of a ladder with its order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sarsen.services.contests.course.idling import EACH, IDLE
from sarsen.services.contests.formats.ladder import Climb, climb_pairings, climbs_of, starts_of
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind
from sarsen.storage.models import MatchEvent

Row = tuple[str, object, object]  # what it is, as stored, as found


def ladder_differences(held: Held) -> Iterator[Row]:
    """Yield what the log of a ladder says that does not follow from what was before."""
    climbs = climbs_of(held.state)
    for climb in climbs:
        yield from _keys(held, climb)
    if _was_changed_later(held):
        return  # climbs that began on another order stay (E36)
    yield from _starts(held)
    yield from _lowered(held, climbs)


def _keys(held: Held, climb: Climb) -> Iterator[Row]:
    """Compare keys and seats with those of such a climb."""
    games = held.state.law.games
    pairings = climb_pairings(climb.number, climb.challenger, climb.defender, games)
    stored = [(game.key, game.numbers) for game in climb.games]
    found = [(pairing.key, pairing.numbers) for pairing in pairings]
    if stored != found:
        yield f"boards of climb {climb.number}", stored, found


def _was_changed_later(held: Held) -> bool:
    """Return whether a result has changed after its board had ended."""
    kinds = (Kind.CORRECTED, Kind.CLOSED)
    resumed = MatchEvent.objects.filter(
        kind=MatchEvent.Kind.RESUME, match__contest_board__contest=held.contest
    )
    return any(event.kind in kinds for event in held.log) or resumed.exists()


def _starts(held: Held) -> Iterator[Row]:
    """Compare the places from which climbs began with the order then (E25)."""
    starts = starts_of(held.state)
    for event in held.log:
        if event.kind != Kind.BOARD:
            continue
        start = starts[event.facts["climb"]]
        if tuple(event.facts["places"]) != start.places:
            yield f"places of {event.facts['key']}", event.facts["places"], list(start.places)
        elif not 0 < start.places[0] - start.places[1] <= start.reach:
            yield f"climb {event.facts['key']}", event.facts["places"], f"{start.reach} at most"


def _lowered(held: Held, climbs: tuple[Climb, ...]) -> Iterator[Row]:
    """Compare losses of places with how long nothing was played (E27)."""
    since: dict[int, datetime] = {}
    for event in held.log:
        if event.kind == Kind.ENTERED:
            since[event.facts["player"]] = event.due + IDLE
        if event.kind != Kind.LOWERED:
            continue
        entrant = held.state.entrant_of(event.facts["player"])
        number = entrant.number if entrant is not None else 0
        own = (climb for climb in climbs if number in climb.numbers)
        earlier = [climb for climb in own if climb.began_at <= event.due]
        ends = [climb.ended_at for climb in earlier]
        known = [end + IDLE for end in ends if end is not None]
        earliest = max([since[event.facts["player"]], *known])
        if None in ends or event.due < earliest:
            yield f"event {event.number}", event.due, f"{earliest} or later"
        since[event.facts["player"]] = event.due + EACH
