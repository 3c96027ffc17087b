"""Compare what is stored of a contest with what follows from its log and its boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from sarsen.services.admin.verify_acts import Row, act_rows
from sarsen.services.admin.verify_ladders import ladder_differences
from sarsen.services.admin.verify_totals import Difference
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import seasons
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Logged, Phase, fold
from sarsen.services.contests.table import table_facts
from sarsen.services.matches.terms import CONTEST, playing_time
from sarsen.storage.models import Contest, ContestBoard, ContestEntry


def contest_differences(seen: Callable[[int], None]) -> Iterator[Difference]:
    """Yield every difference of all contests.

    Args:
        seen: Called after every contest, with the number of its events.
    """
    for contest in Contest.objects.order_by("pk").iterator():
        held = contest_log.read(contest)
        for what, stored, found in _rows(held):
            yield Difference(f"contest {contest.pk}", what, str(stored), str(found))
        seen(len(held.log))


def _rows(held: Held) -> Iterator[Row]:
    yield from _columns(held)
    yield from _entries(held)
    yield from _places(held)
    yield from _boards(held)
    yield from _log(held)
    if held.format.is_endless:
        yield from ladder_differences(held)
    yield from act_rows(held)


def _columns(held: Held) -> Iterator[Row]:
    contest, state = held.contest, held.state
    for what, stored, found in (
        ("state", contest.state, str(state.phase)),
        ("starts at", contest.starts_at, state.started_at or state.entry_ends_at),
        ("ends at", contest.ends_at, state.ends_at),
    ):
        if stored != found:
            yield what, stored, found


def _entries(held: Held) -> Iterator[Row]:
    rows = ContestEntry.objects.filter(contest=held.contest)
    stored = {
        (row.player_id, row.number, row.tier, row.once, row.is_waiting, row.is_out) for row in rows
    }
    found = {
        (one.player, one.number, one.tier, one.once, False, one.is_out)
        for one in held.state.entrants
    }
    found |= {
        (player, at, 1, False, True, False) for at, player in enumerate(held.state.waiting, 1)
    }
    if stored != found:
        yield "entries", sorted(stored), sorted(found)


def _places(held: Held) -> Iterator[Row]:
    """Compare the places of a contest that has ended with its table."""
    rows = ContestEntry.objects.filter(contest=held.contest).exclude(place=None)
    stored = {(row.player_id, row.place, row.shared_to) for row in rows}
    is_over = held.state.phase is Phase.ENDED
    table = held.format.table(held.state) if is_over else ()
    found = {(row.entrant.player, row.place, row.shared_to) for row in table}
    if stored != found:
        yield "places", sorted(stored, key=str), sorted(found)


def _boards(held: Held) -> Iterator[Row]:
    """Compare keys, boards and seats with the pairings of the format."""
    contest, state = held.contest, held.state
    rows = ContestBoard.objects.filter(contest=contest).prefetch_related("match__seats")
    stored = {row.key: row for row in rows}
    # Games that were left when somebody was out have never begun.
    begun = (game for game in state.boards if game.board is not None)
    logged = {game.key: game for game in (*begun, *state.replaced)}
    if set(stored) != set(logged):
        yield "boards", sorted(stored), sorted(logged)
    pairings = {
        pairing.key: pairing.numbers
        for pairing in held.format.pairings(state)
        if state.phase in (Phase.RUNNING, Phase.ENDED)
    }
    seated = _seated(held)
    for key, row in stored.items():
        if key not in logged:
            continue
        seats = tuple(seat.player_id for seat in row.match.seats.all())
        paired = tuple(seated[key, number] for number in pairings.get(key.rstrip("s"), ()))
        if row.match_id != logged[key].board:
            yield f"board of {key}", row.match_id, logged[key].board
        if seats != paired:
            yield f"players of {key}", seats, paired
        named = None if logged[key].is_ordinary else contest.pk
        if row.match.terms.get(CONTEST) != named:
            yield f"contest of board {row.match_id}", row.match.terms.get(CONTEST), named


def _seated(held: Held) -> dict[tuple[str, int], int]:
    """Return who had the number of an entrant when a board started, by its key."""
    if held.format.is_endless:  # numbers are those of entry, and nobody else gets them
        players = {one.number: one.player for one in held.state.entrants}
    else:
        players = {}
    seated: dict[tuple[str, int], int] = {}
    for event in held.log:
        facts = event.facts
        if event.kind == Kind.STARTED and facts["order"]:
            players = dict(enumerate(facts["order"], 1))
        elif event.kind == Kind.SUBSTITUTED:
            numbers = {player: number for number, player in players.items()}
            players[numbers[facts["player"]]] = facts["substitute"]
        elif event.kind == Kind.BOARD:
            seated |= {(facts["key"], number): players[number] for number in facts["numbers"]}
    return seated


def _substitution(held: Held, event: Logged) -> Iterator[Row]:
    """Compare who got the seat of an entrant, when, and with which boards (E7, E29)."""
    facts = event.facts
    state = fold(contest_log.law_of(held.contest), held.log[: event.number - 1], {})
    entrant = state.entrant_of(facts["player"])
    number = entrant.number if entrant is not None else 0
    boards = [game.key for game in state.boards if number in game.numbers]
    if facts["boards"] != boards:
        yield f"boards of event {event.number}", facts["boards"], boards
    if state.waiting[:1] != (facts["substitute"],):
        if not state.law.has_fillers:
            yield f"substitute of event {event.number}", facts["substitute"], state.waiting[:1]
        return
    nag = playing_time(held.contest.terms).nag
    if state.started_at is None or event.due < state.started_at + 2 * nag:
        yield f"event {event.number}", event.due, f"{2 * nag} after the start, or later"


def _log(held: Held) -> Iterator[Row]:
    """Compare numbers, times and the final table."""
    numbers = [event.number for event in held.log]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "numbers of events", numbers, list(range(1, len(numbers) + 1))
    for event in held.log:
        if event.at < event.due:
            yield f"event {event.number}", event.at, f"{event.due} or later"
        if event.kind == Kind.SUBSTITUTED:
            yield from _substitution(held, event)
        if event.kind == Kind.OPENED and "days" in event.facts:
            before = fold(contest_log.law_of(held.contest), held.log[: event.number - 1], {})
            moved = before.ends_at and before.ends_at + timedelta(days=event.facts["days"])
            if event.facts["ends_at"] != (moved and moved.isoformat()):
                yield f"end date of event {event.number}", event.facts["ends_at"], moved
        if event.kind == Kind.ENDED:
            # As it was then: an operator may have corrected a result since.
            until = held.log[: event.number]
            state = fold(contest_log.law_of(held.contest), until, held.results)
            found = table_facts(held.format.table(state))
            if event.facts["table"] != found:
                yield "final table", event.facts["table"], found
    if held.format.has_seasons:
        yield from _seasons(held)


def _seasons(held: Held) -> Iterator[Row]:
    """Compare the tiers of a season with the end of the one before, and who goes up and down."""
    for event in held.log:
        if event.kind not in (Kind.STARTED, Kind.ENDED):
            continue
        state = fold(contest_log.law_of(held.contest), held.log[: event.number - 1], held.results)
        if event.kind == Kind.STARTED:
            ratings = dict(zip(event.facts["order"], event.facts["ratings"], strict=True))
            players = [entrant.player for entrant in state.entrants]
            facts = seasons.tiers_of(held.contest, players, ratings)
        else:
            facts = seasons.final_facts(held, state)
        for what, found in facts.items():
            if event.facts[what] != found:
                yield what, event.facts[what], found
