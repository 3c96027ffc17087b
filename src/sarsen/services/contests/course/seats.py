"""Seats that change hands before the first move: of absent players, and of programs (E7, E29)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sarsen.core.phrases import Phrase
from sarsen.language.translating import N_
from sarsen.services.clocks.turns import Pauses, end_of_budget, pauses_of, pauses_of_player
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import life
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant, Kind, Phase, State
from sarsen.services.matches import matches
from sarsen.services.matches.terms import playing_time
from sarsen.services.notices import Event, notify, notify_all
from sarsen.services.request import Request
from sarsen.storage.models import Match, Player

REMINDED, SUBSTITUTED = "contest-reminded", "contest-substituted"  # letters
SECOND_REMINDER = timedelta(days=1)  # after the first one
_REASON = N_("Somebody else plays {side} in the contest now.")  # why a board is closed


@dataclass(frozen=True)
class Change:
    """A reminder of a first move, or the loss of the seat.

    Attributes:
        due: When.
        substitute: The player who gets the seat; None for a reminder.
        until: Of a reminder: when the seat goes to somebody who waits.
    """

    entrant: Entrant
    due: datetime
    substitute: int | None
    until: datetime


def changes(held: Held, now: datetime) -> Iterator[Change]:
    """Yield what is due next of each person whose first move in the contest is due (E7)."""
    begun = _first_turns(held)
    if not begun:
        return
    people = Player.objects.filter(pk__in=[one.player for one in begun], level=None)
    keys = set(people.values_list("pk", flat=True))
    signs = life.last_signs(keys, now)
    pauses = pauses_of(keys, min(begun.values()), now)
    nag = playing_time(held.contest.terms).nag
    reminded, waiting = _reminders(held), held.state.waiting
    waits_since = _waits_since(held, waiting[0]) if waiting else None
    for entrant, since in begun.items():
        if entrant.player not in keys:
            continue
        spans = Pauses(pauses_of_player(pauses, entrant.player))
        # Somebody who gave a sign of life when the seat was lost, but before anybody had noticed,
        # has as much time again (E5).
        sign = signs[entrant.player]
        base = sign if sign >= end_of_budget(since, 2 * nag, spans) else since
        lost_at = end_of_budget(base, 2 * nag, spans)
        reminders = [end_of_budget(base, length, spans) for length in (nag, nag + SECOND_REMINDER)]
        sent = sum(due > base for due in reminded[entrant.player])
        for due in reminders[sent:]:
            if sign <= due < lost_at:
                yield Change(entrant, due, None, lost_at)
                break
        if waits_since is not None:
            yield Change(entrant, max(lost_at, waits_since), waiting[0], lost_at)


def carry_out(held: Held, change: Change, request: Request) -> bool:
    """Remind an entrant, or give the seat to the first who waits; return whether that was all."""
    if change.substitute is not None:
        substitute(held, change.entrant, change.substitute, request, due=change.due)
        return True
    held.add(Kind.REMINDED, request.now, {"player": change.entrant.player}, due=change.due)
    letter = {"contest": held.contest.pk, "until": change.until.isoformat()}
    player = Player.objects.get(pk=change.entrant.player)
    notify(player, Event.CONTEST, REMINDED, letter, request.now)
    return True


def substitute(
    held: Held, entrant: Entrant, player: int, request: Request, *, due: datetime | None = None
) -> bool:
    """Seat a player in the place of an entrant, unless a first move was made just now.

    The boards of the entrant are closed; the next sweep starts them anew under other keys.
    """
    games = [game for game in held.state.boards if entrant.number in game.numbers]
    boards = {game.board: game.numbers.index(entrant.number) for game in games if game.board}
    locked = Match.objects.select_for_update(no_key=True).filter(pk__in=boards).order_by("pk")
    if any(match.ended_at is not None or match.ply > boards[match.pk] for match in locked):
        held.refresh()
        return False
    facts = {
        "player": entrant.player,
        "substitute": player,
        "boards": [game.key for game in games],
    }
    held.add(Kind.SUBSTITUTED, request.now, facts, due=due)
    contest_log.seat(held, player, entrant.number)
    for match in locked:
        side = matches.position_of(match).sides[boards[match.pk]]
        closing = str(Phrase(_REASON, side=side))
        matches.follow_up(matches.record_closing(match, closing, request))
    _tell(held, entrant, player, request)
    return True


def program_seat(held: Held) -> Entrant | None:
    """Return the program that gives up its seat to the next person (E29): the weakest one.

    It made up the number, and has not made a move in the contest yet.
    """
    if not held.state.law.has_fillers:
        return None
    silent = {one.player: one for one in silent_ones(held.state)}
    programs = Player.objects.filter(pk__in=silent, level__isnull=False).order_by("level")
    weakest = programs.first()
    return None if weakest is None else silent[weakest.pk]


def may_become_free(state: State) -> bool:
    """Return whether it makes sense to wait for a seat: somebody has not moved yet."""
    return state.phase is Phase.RUNNING and bool(silent_ones(state))


def silent_ones(state: State) -> list[Entrant]:
    """Return the entrants who have made no move in the contest, and of whom no board is over."""
    moved: set[int] = set()
    for game in state.boards:
        result = state.results.get(game.board) if game.board else None
        plies = result.plies if result is not None else 0
        moved.update(game.numbers if not game.is_running else game.numbers[:plies])
    return [one for one in state.entrants if not one.is_out and one.number not in moved]


def _first_turns(held: Held) -> Mapping[Entrant, datetime]:
    """Return since when the first move of each entrant is due who has made none in the contest."""
    state, results = held.state, held.results
    silent = {one.number for one in state.entrants if not one.is_out}
    turns: dict[int, datetime] = {}
    began = {event.facts["key"]: event.due for event in held.log if event.kind == Kind.BOARD}
    for game in state.boards:
        result = results.get(game.board) if game.board else None
        plies = result.plies if result else 0
        is_over = not game.is_running or (result is not None and result.ended_at is not None)
        for seat, number in enumerate(game.numbers):
            if is_over or plies > seat:
                silent.discard(number)
                continue
            # A game that is over may never have had a board, one that runs has.
            since = result.turn_began_at if result and seat else began[game.key]
            if plies == seat and since is not None:
                turns[number] = min(since, turns.get(number, since))
    return {state.by_number[number]: since for number, since in turns.items() if number in silent}


def _reminders(held: Held) -> Mapping[int, list[datetime]]:
    """Return when each player was reminded, gathered once: a league has thousands of events."""
    reminded: dict[int, list[datetime]] = defaultdict(list)
    for event in held.log:
        if event.kind == Kind.REMINDED:
            reminded[event.facts["player"]].append(event.due)
    return reminded


def _waits_since(held: Held, player: int) -> datetime:
    return max(
        event.due
        for event in held.log
        if event.kind == Kind.ENTERED and event.facts["player"] == player
    )


def _tell(held: Held, entrant: Entrant, player: int, request: Request) -> None:
    """Write to the one who had the seat, to the one who has it now, and to the opponents."""
    facts = {"contest": held.contest.pk, "player": entrant.player, "substitute": player}
    told = {entrant.player, player, *_opponents(held, entrant.number)}
    people = Player.objects.filter(pk__in=told, level=None)
    notify_all(people, Event.CONTEST, SUBSTITUTED, facts, request.now)


def _opponents(held: Held, number: int) -> Collection[int]:
    pairs = (one.numbers for one in held.format.pairings(held.state) if number in one.numbers)
    return {
        held.state.by_number[other].player
        for pair in pairs
        for other in pair
        if other != number and not held.state.by_number[other].is_out
    }
