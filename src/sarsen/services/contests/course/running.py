"""Carry contests on: start them and their boards, and end them, whenever that is due.

What is due is decided by the log and the results of boards, never by "today": a sweep that comes
two days late writes the same log, but for the time at which it wrote it (E5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from sarsen.core.phrases import Phrase
from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.clocks.turns import pauses_of
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import (
    absences,
    deciding,
    downtimes,
    fillers,
    forecast,
    idling,
    proving,
    seasons,
    seats,
    vacations,
    withdrawals,
)
from sarsen.services.contests.course.absences import Concern
from sarsen.services.contests.course.idling import Idle
from sarsen.services.contests.course.proving import Prover
from sarsen.services.contests.course.withdrawals import Why
from sarsen.services.contests.formats.format import Pairing
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant, Kind, Phase
from sarsen.services.contests.table import table_facts
from sarsen.services.matches import matches
from sarsen.services.matches.terms import CONTEST, CONTEST_VACATION
from sarsen.services.notices import Event, notify, notify_all
from sarsen.services.request import NOBODY, AfterEvents, BoardEvent, Request
from sarsen.storage.models import Contest, ContestBoard, Match, MatchEvent, Player
from sarsen.storage.transactions import asking_transaction

MAX_BOARDS = 100  # started, or decided, in one transaction, for which other writers wait
MAX_CONTESTS = 100  # of one run: other jobs get their turn
AGAIN_AFTER = timedelta(days=7)  # a contest with too few players waits so long for more
# Events that end games beside their players.
_DECIDING = (Kind.DECIDED, Kind.CLOSED, Kind.WITHDRAWN, Kind.CORRECTED, Kind.STARTED)
LATE = timedelta(hours=1)  # sweeps come every ten minutes, and whenever something is due
TRY_AGAIN = timedelta(hours=6)  # a contest whose game is broken, or not there just now
STARTED, ENDED, POSTPONED = "contest-started", "contest-ended", "contest-postponed"  # letters
DECIDED_BEFORE = Phrase("The match was decided before.")  # why its last boards are closed
log = structlog.get_logger()


def note_board(event: BoardEvent) -> None:
    """Note that a board of a contest has ended, or goes on after a forfeit was undone.

    The contest itself is not touched: its row is locked before those of its boards.
    """
    number = event.match.terms.get(CONTEST)
    if number and (event.ends_match or event.kind == MatchEvent.Kind.RESUME):
        # What was proved of a game that goes on may not hold at its end.
        news = {"has_news": True} | ({} if event.ends_match else {"proof": ""})
        ContestBoard.objects.filter(match=event.match).update(**news)
        task_queue.wake(task_queue.RUN_CONTESTS)


def is_any_due(now: datetime) -> bool:
    """Return whether `sweep` has something to do."""
    return _due(now).exists()


def late_ones(now: datetime) -> list[tuple[int, datetime]]:
    """Return the contests that should have been carried on an hour ago, and since when."""
    late = Contest.objects.filter(look_at__lt=now - LATE).order_by("look_at")
    return [(number, at) for number, at in late.values_list("pk", "look_at")[:MAX_CONTESTS] if at]


def sweep(now: datetime, after_events: AfterEvents, prove: Prover | None = None) -> int:
    """Carry on the contests that are due, each in a transaction of its own; return how many.

    Args:
        prove: Asked for wins at boards that run at an end date, or were lost on time; None where
            nothing is proved.
    """
    request = Request(NOBODY, now, after_events)
    keys = list(_due(now).order_by("pk").values_list("pk", flat=True)[:MAX_CONTESTS])
    unproved = []
    for key in keys:
        crash_log.note_progress()
        if proving.prove_next(key, now, prove):
            unproved.append(key)
        else:
            _carry_on(key, request)
    proving.prove_on(unproved, now, prove)
    if _due(now).exists():
        task_queue.wake(task_queue.RUN_CONTESTS)
    return len(keys)


def _due(now: datetime) -> QuerySet[Contest]:
    news = ContestBoard.objects.filter(contest=OuterRef("pk"), has_news=True)
    return Contest.objects.filter(Q(look_at__lte=now) | Exists(news))


def _carry_on(key: int, request: Request) -> None:
    with asking_transaction():
        speakers.hold_everybody()  # before all rows: letters may go to anybody
        held = contest_log.hold(key)
        ContestBoard.objects.filter(contest=key, has_news=True).update(has_news=False)
        try:
            with transaction.atomic():
                advance(held, request)
        except DatabaseError:
            raise
        except Exception:
            # A game may be anybody's code: whatever is wrong with one contest, all others go on.
            log.exception("a contest cannot be carried on", contest=key)
            Contest.objects.filter(pk=key).update(look_at=request.now + TRY_AGAIN)


def advance(held: Held, request: Request) -> None:
    """Do all that is due in a contest, in the caller's transaction, which holds it locked."""
    now = request.now
    _begin(held, now)
    has_more = False
    while held.state.phase is Phase.RUNNING and not has_more:
        acts = [act for act in _acts(held, request) if act.due <= now]
        if not acts:
            break
        has_more = not min(acts, key=lambda act: act.due).do()
    forecast.refresh(held, now)
    held.save(now if has_more else next_look(held, request))
    task_queue.wake(task_queue.SEND_MAIL)


@dataclass(frozen=True)
class Act:
    """An act that the law wants.

    Attributes:
        due: When.
        do: Does it, and returns whether it was all.
    """

    due: datetime
    do: Callable[[], bool]


def _acts(held: Held, request: Request) -> Iterator[Act]:
    """Yield what comes next in a running contest; of acts due at the same time the first first."""
    state, now = held.state, request.now
    if held.format.is_endless:
        yield from _ladder_acts(held, request)
        return
    assert state.started_at is not None  # it runs
    assert state.ends_at is not None
    for moment, pairings in _starting(held, now):
        yield Act(moment, partial(_start_boards, held, pairings, request, moment))
    if not state.is_paired:
        yield Act(state.started_at, partial(_tell_start, held, now))
    elif held.format.is_finished(state):
        ended = [one.ended_at for one in held.results.values() if one.ended_at is not None]
        last = max([*ended, *(event.due for event in held.log if event.kind in _DECIDING)])
        due = min(last, state.ends_at)
        yield Act(due, partial(_end, held, request, due))
    else:
        players = {entrant.player for entrant in state.entrants}
        pauses = pauses_of(players, state.started_at, now)
        for shift in downtimes.shifts(held, pauses):
            yield Act(shift.due, partial(_move_end, held, shift, now))
        for run_out in vacations.run_outs(held, pauses):
            yield Act(run_out.due, partial(vacations.tell, held, run_out, request))
        for change in seats.changes(held, now):
            yield Act(change.due, partial(seats.carry_out, held, change, request))
        for concern in absences.concerns(held, now):
            yield Act(concern.due, partial(_settle, held, concern, request))
        yield Act(state.ends_at, partial(_decide_all, held, request))


def _ladder_acts(held: Held, request: Request) -> Iterator[Act]:
    """Yield what comes next in a ladder: it has no boards to start, and no end date."""
    if programs := fillers.superfluous(held):
        due = max(event.due for event in held.log if event.kind == Kind.ENTERED)
        yield Act(due, partial(_send_home, held, programs, request, due))
    for concern in absences.concerns(held, request.now):
        yield Act(concern.due, partial(_settle, held, concern, request))
    for idle in idling.idle_ones(held, request.now):
        yield Act(idle.due, partial(_lower, held, idle, request))


def _send_home(held: Held, programs: Sequence[Entrant], request: Request, due: datetime) -> bool:
    for entrant in programs:
        withdrawals.withdraw(held, entrant, Why.PEOPLE, request, due=due)
    return True


def _lower(held: Held, idle: Idle, request: Request) -> bool:
    idling.carry_out(held, idle, request)
    return True


def _begin(held: Held, now: datetime) -> None:
    """Start a contest that is full, or whose day has come; put it off with too few players."""
    while held.state.phase is Phase.OPEN:
        state, law = held.state, held.state.law
        assert state.starts_at is not None  # an open contest has dates
        assert state.ends_at is not None
        if moved_to := seasons.moved_start(held):
            ends_at, due = moved_to + timedelta(law.days), min(now, state.starts_at)
            contest_log.open_until(held, moved_to, ends_at, now, due=due)
            continue
        fill_at = state.filled_at
        if len(state.entrants) >= law.most and not law.keeps_day:
            start(held, now, due=state.last_entry_at)
        elif fill_at is not None and now >= fill_at and fillers.fill(held, now, fill_at):
            start(held, now, due=fill_at)
        elif now < state.starts_at or seasons.is_held_up(held.contest):
            return
        elif len(state.entrants) >= law.least or _fill_on_day(held, now):
            start(held, now, due=state.starts_at)
        else:
            # It was opened once when it was made; those who wait are told of the first delay only.
            was_told = sum(event.kind == Kind.OPENED for event in held.log) > 1
            starts, ends = state.starts_at + AGAIN_AFTER, state.ends_at + AGAIN_AFTER
            contest_log.open_until(held, starts, ends, now, due=state.starts_at)
            if not was_told:
                _tell(held, POSTPONED, now)


def _fill_on_day(held: Held, now: datetime) -> bool:
    """Let programs make up the number of a contest that keeps its day, for people who wait."""
    state = held.state
    if not (state.law.keeps_day and state.law.has_fillers and state.entrants):
        return False
    assert state.starts_at is not None  # an open contest has dates
    return fillers.fill(held, now, state.starts_at)


def start(held: Held, now: datetime, due: datetime | None = None) -> None:
    """Start a contest: its entrants are frozen in the order of their entry, or by tiers."""
    if held.format.has_seasons:
        seasons.start(held, now, due or now)
    else:
        order = [entrant.player for entrant in held.state.entrants]
        held.add(Kind.STARTED, now, {"order": order}, due=due)


def _starting(held: Held, now: datetime) -> Iterator[tuple[datetime, Sequence[Pairing]]]:
    """Yield the first moment at which boards are free to start, with these."""
    started_at = held.state.started_at
    assert started_at is not None  # it runs
    if not held.format.unstarted(held.state):
        return  # thousands of results need not be looked at one by one
    starting = (Kind.BOARD, Kind.SUBSTITUTED)
    seen = max((event.due for event in held.log if event.kind in starting), default=started_at)
    ended = {result.ended_at for result in held.results.values() if result.ended_at is not None}
    for moment in [seen, *sorted(one for one in ended if seen < one <= now)]:
        if pairings := held.format.next_boards(held.at(moment)):
            yield moment, pairings
            return


def _start_boards(held: Held, pairings: Sequence[Pairing], request: Request, due: datetime) -> bool:
    """Start boards, as many as one transaction takes; return whether those were all."""
    start_boards(held, pairings[:MAX_BOARDS], request, due)
    return len(pairings) <= MAX_BOARDS


def start_boards(
    held: Held,
    pairings: Sequence[Pairing],
    request: Request,
    due: datetime,
    more: Mapping[str, Any] | None = None,
) -> tuple[int, ...]:
    """Start boards of a contest, and write to the players who move first; return their numbers.

    Args:
        more: What the log says of each beside key, entrants and board.
    """
    contest, by_number = held.contest, held.state.by_number
    numbers = {number for pairing in pairings for number in pairing.numbers}
    players = Player.objects.in_bulk([by_number[number].player for number in numbers])
    terms = _terms_of_boards(held)
    started: list[Match] = []
    for pairing in pairings:
        seated = [players[by_number[number].player] for number in pairing.numbers]
        event = matches.start(contest.game, contest.options, terms, seated, request)
        started.append(event.match)
    pairs = list(zip(pairings, started, strict=True))
    ContestBoard.objects.bulk_create(
        ContestBoard(contest=contest, key=pairing.key, match=match) for pairing, match in pairs
    )
    facts = [
        {"key": pairing.key, "numbers": list(pairing.numbers), "board": match.pk, **(more or {})}
        for pairing, match in pairs
    ]
    held.add_all(Kind.BOARD, request.now, facts, due=due)
    for pairing, match in pairs:
        to_move = players[by_number[pairing.numbers[match.seat_to_move]].player]
        if to_move.level is None:
            letter = {**match.facts, "is_over": False}
            notify(to_move, Event.TURN, "board", letter, request.now, match=match)
    return tuple(match.pk for match in started)


def _terms_of_boards(held: Held) -> Mapping[str, Any]:
    terms = {**held.contest.terms, CONTEST: held.contest.pk}
    if limit := vacations.limit_of(held):
        days = held.contest.law["vacation"]
        terms[CONTEST_VACATION] = {"days": days, "since": limit.since.isoformat()}
    return terms


def players_of(held: Held) -> Mapping[int, Player]:
    """Return the entrants as players, by their keys."""
    return Player.objects.in_bulk([entrant.player for entrant in held.state.entrants])


def _tell_start(held: Held, now: datetime) -> bool:
    held.add(Kind.PAIRED, now, {}, due=held.state.started_at)
    _tell(held, STARTED, now)
    return True


def _move_end(held: Held, shift: downtimes.Shift, now: datetime) -> bool:
    downtimes.move_end(held, shift, now)
    return True


def _settle(held: Held, concern: Concern, request: Request) -> bool:
    absences.carry_out(held, concern, request)
    return True


def _decide_all(held: Held, request: Request) -> bool:
    """Decide the boards that still run at the end date, and forgo those that never began.

    Once wins have been asked for: the next sweeps do that, outside of this transaction.
    """
    if proving.unasked(held).exists():
        return False
    held.lock_boards()
    running = [game for game in held.state.boards if game.is_running]
    for game in running[:MAX_BOARDS]:
        deciding.decide(held, game, request)
    if len(running) > MAX_BOARDS:
        return False
    pairings, due = held.format.to_come(held.state), held.state.ends_at
    never = [{"key": one.key, "numbers": list(one.numbers), "board": None} for one in pairings]
    held.add_all(Kind.BOARD, request.now, never, due=due)
    held.add_all(Kind.CLOSED, request.now, [{"key": one.key} for one in pairings], due=due)
    return True


def _end(held: Held, request: Request, due: datetime) -> bool:
    """End a contest; boards that can change nothing any more are closed."""
    now = request.now
    held.lock_boards()
    for game in held.state.boards:
        if game.is_running and game.board is not None:
            match = Match.objects.get(pk=game.board)
            matches.follow_up(matches.record_closing(match, str(DECIDED_BEFORE), request))
            held.add(Kind.CLOSED, now, {"key": game.key}, due=due)
    facts: dict[str, Any] = {"table": table_facts(held.format.table(held.state))}
    if held.format.has_seasons:
        facts |= seasons.final_facts(held, held.state)
        seasons.wake_next(held.contest, now)
    held.add(Kind.ENDED, now, facts, due=due)
    _tell(held, ENDED, now, held.told_at_end)
    return True


def _tell(held: Held, kind: str, now: datetime, more: Mapping[str, Any] | None = None) -> None:
    """Write a letter about a contest to all who are in it.

    Args:
        more: What the letter tells beside that.
    """
    facts = {"contest": held.contest.pk, "event": len(held.log), **(more or {})}
    notify_all(players_of(held).values(), Event.CONTEST, kind, facts, now)


def next_look(held: Held, request: Request) -> datetime | None:
    """Return when something will be due, unless a board ends before; None for never."""
    if held.state.phase is Phase.OPEN:
        # Where the programs are not there just now, it is tried again when entry ends.
        to_come = [held.state.filled_at, held.state.starts_at]
        # A season that waits for the end of the one before is woken by it.
        return min((at for at in to_come if at is not None and at > request.now), default=None)
    if held.state.phase is not Phase.RUNNING:
        return None
    to_do = min((act.due for act in _acts(held, request)), default=None)
    made_again = None if held.format.is_endless else forecast.next_at(held)
    return min((at for at in (to_do, made_again) if at is not None), default=None)
