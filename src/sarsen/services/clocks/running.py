"""Start, charge and stop the clocks of matches, act when they run out, and allow for downtime."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F

from sarsen.language.grammar.time_zones import zone_called
from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.bots import due_boards
from sarsen.services.clocks import turns
from sarsen.services.clocks.turns import (
    CLOCKS,
    Act,
    ClockTurn,
    Pause,
    Pauses,
    decide,
    pauses_of,
    pauses_of_player,
    reserve_after,
    vacations_of_mover,
    vacations_since,
)
from sarsen.services.mail import waiting
from sarsen.services.matches import matches
from sarsen.services.matches.matches import CLOCK_COLUMNS
from sarsen.services.matches.terms import playing_time, vacation_limit
from sarsen.services.notices import Event, notify
from sarsen.services.request import NOBODY, OFFER, AfterEvents, BoardEvent, Request
from sarsen.storage import move_path
from sarsen.storage.models import (
    Downtime,
    Heartbeat,
    InboundMail,
    Match,
    MatchEvent,
    MatchSeat,
    OutgoingMail,
    Player,
)
from sarsen.storage.transactions import asking_transaction

MOST = 100  # boards of one run: other jobs get their turn
# A board whose game is not there just now: an operator has to install it again.
TRY_AGAIN = timedelta(hours=6)  # a board whose game is not there just now
HEARD_IN = timedelta(minutes=1)  # until then mail that came in time is answered, mostly
# Boards of one transaction, for which a move at one of them waits.
BATCH = 500  # boards of one transaction
MAX_SETTLED = 2_000  # of one run: other jobs get their turn
MAX_WAIT = timedelta(days=2)  # no letter and no mail is ever put off for so long
BEAT_EVERY = timedelta(minutes=1)  # written no more often: it is one commit to the disk
# Boards of one player worked out in one command. The sweep works out every other when its
# time comes, so that only its reminder may come late.
MAX_AT_ONCE = 1000
log = structlog.get_logger()


def keep_time(event: BoardEvent) -> None:
    """Charge the turn that an event ends, and start or stop the clock of its match."""
    match = event.match
    if event.kind == OFFER:
        return
    if event.turn_of is not None:
        has_moved = event.kind == MatchEvent.Kind.MOVE
        turn_ends(match, event.turn_of, event.now, has_moved=has_moved)
    if event.ends_match:
        stop(match)
    else:
        turn_begins(match, event.now)


def turn_begins(match: Match, now: datetime) -> None:
    """Start the clock of `match.seat_to_move`; the caller saves `CLOCK_COLUMNS`.

    Called when a match starts, and after every event that gives a turn: a move, or
    moves taken back. `turn_ends` charges the other seat. No clock runs for
    the server's own programs: how long they take is the server's doing.
    """
    if due_boards.is_bots_turn(match):
        stop(match)
        return
    time = playing_time(match.terms)
    reserve, zone = None, None
    if time.total is not None or time.weekends_are_off:
        seat = match.seat_rows[match.seat_to_move]
        reserve = _reserve(seat)
        zone = zone_called(seat.player.timezone) if time.weekends_are_off else None
    is_ever_away = match.seat_rows[match.seat_to_move].has_vacations
    vacations = vacations_of_mover(match, now) if is_ever_away else ()
    turn = ClockTurn(now, time, reserve, Pauses(vacations, zone))
    match.turn_began_at = now
    match.reminders = 0
    match.warned_at = None
    _schedule(match, turn, now)


def turn_ends(match: Match, seat: int, now: datetime, *, has_moved: bool = True) -> None:
    """Charge the turn that ends now to the reserve of its seat, and save that.

    Called before the next turn begins. A match without `--totaltime` has no
    reserves, and nothing is asked of the database.

    Args:
        has_moved: Add the increment; False when the turn ends otherwise, such as by
            moves taken back.
    """
    if match.turn_began_at is None or playing_time(match.terms).total is None:
        return
    sitting = match.seat_rows[seat]
    since = vacations_since(match, match.turn_began_at)
    pauses = pauses_of({sitting.player_id}, since, now)
    turn = _turn(match, sitting, pauses)
    reserve = reserve_after(turn, now)
    if reserve is not None:
        reserve = reserve if has_moved else reserve - turn.time.increment
        sitting.reserve = reserve.total_seconds()
        sitting.save(update_fields=["reserve"])


def stop(match: Match) -> None:
    """Stop the clock for good; the caller saves `CLOCK_COLUMNS`."""
    match.turn_began_at = match.due_at = match.look_at = match.warned_at = None
    match.reminders = 0


def lock_boards_of(player: Player) -> list[Match]:
    """Lock the boards whose clocks run for a player, before that player's pauses change.

    The caller then calls `recalculate_deadlines` with them.

    To be called before a row of theirs is changed: a player who moves locks a board first and
    writes to its players then. Both in the same order, or each waits for the other.
    """
    boards = Match.objects.select_for_update(of=("self",), no_key=True).filter(
        look_at__isnull=False, seats__player=player, seats__seat=F("seat_to_move")
    )
    return list(boards.order_by("pk")[:MAX_AT_ONCE])


def recalculate_deadlines(boards: Sequence[Match], now: datetime) -> None:
    """Set and save when running clocks run out, after pauses have changed; the caller locks."""
    if not boards:
        return
    for match, turn in zip(boards, turns_of(boards, now), strict=True):
        _schedule(match, turn, now)
    move_path.write_deadlines(boards)


def turn_of(match: Match, now: datetime) -> ClockTurn:
    """Return the running turn of a match, with every pause since it began."""
    return turns_of([match], now)[0]


def turns_of(boards: Sequence[Match], now: datetime) -> list[ClockTurn]:
    """Return the running turns of matches, in their order; so many queries for any number."""
    began = [match.turn_began_at for match in boards if match.turn_began_at]
    assert len(began) == len(boards)  # all their clocks run
    keys = [match.pk for match in boards]
    moving = MatchSeat.objects.filter(match_id__in=keys, seat=F("match__seat_to_move"))
    seats = {seat.match_id: seat for seat in moving.select_related("player")}
    since = min(map(vacations_since, boards, began))
    pauses = pauses_of({seat.player_id for seat in seats.values()}, since, now)
    return [_turn(match, seats[match.pk], pauses) for match in boards]


def _turn(match: Match, seat: MatchSeat, pauses: tuple[Pause, ...]) -> ClockTurn:
    assert match.turn_began_at is not None  # a clock runs
    time = playing_time(match.terms)
    zone = zone_called(seat.player.timezone) if time.weekends_are_off else None
    return ClockTurn(
        match.turn_began_at,
        time,
        _reserve(seat),
        Pauses(pauses_of_player(pauses, seat.player_id, vacation_limit(match.terms)), zone),
        was_nagged=match.reminders > 0,
        warned_at=match.warned_at,
    )


def _schedule(match: Match, turn: ClockTurn, now: datetime) -> None:
    """Set when the move is due, and when the sweep must look."""
    decision = decide(turn, now)
    match.due_at = decision.due_at
    # What is due at this very moment is the sweep's to do.
    match.look_at = decision.look_at if decision.act is Act.WAIT else now


def _reserve(seat: MatchSeat) -> timedelta | None:
    return None if seat.reserve is None else timedelta(seconds=seat.reserve)


def is_any_due(now: datetime) -> bool:
    """Return whether `sweep` has something to do: its own heartbeat, or a clock."""
    return (
        not _is_beating(now)
        or Downtime.objects.filter(is_settled=False).exists()
        or Match.objects.filter(look_at__lte=now).exists()
    )


def sweep(now: datetime, after_events: AfterEvents) -> int:
    """Act on the clocks that are due; return how many were looked at.

    A silence of the server is recorded before any clock is judged. Each board is
    judged in a transaction of its own, locked and looked at anew: a move may come
    at the same moment. The rest is done by the next run.
    """
    request = Request(NOBODY, now, after_events)
    record_heartbeat(now)
    recalculate_after_downtime(now)
    due = Match.objects.filter(look_at__lte=now).order_by("look_at")
    keys = list(due.values_list("pk", flat=True)[:MOST])
    for key in keys:
        crash_log.note_progress()
        _check_clock(key, request)
    if len(keys) == MOST:
        task_queue.wake(task_queue.LOOK_AFTER_CLOCKS)
    return len(keys)


def _check_clock(key: int, request: Request) -> None:
    now = request.now
    with asking_transaction():
        speakers.hold_everybody()  # before all rows: letters and notices may go to anybody
        # A move that is being made counts first.
        locked = Match.objects.select_for_update(no_key=True)
        match = locked.filter(pk=key, look_at__lte=now).first()
        if match is None:
            return  # somebody has moved, or another worker was here
        try:
            with transaction.atomic():
                _judge(match, request)
        except DatabaseError:
            raise
        except Exception:
            # A game may be anybody's code, taken off the server or broken: whatever is
            # wrong with one board, all the other clocks have to be looked after.
            log.exception("a clock cannot be checked", board=key)
            Match.objects.filter(pk=key).update(look_at=now + TRY_AGAIN)


def _judge(match: Match, request: Request) -> None:
    now = request.now
    mover = match.seats.select_related("player").get(seat=match.seat_to_move).player
    decision = decide(turn_of(match, now), now)
    match.due_at, match.look_at = decision.due_at, decision.look_at
    if decision.act is Act.FORFEIT and waiting.is_unanswered(decision.due_at):
        # When a mail came decides, not when it is read: one that waits may hold the move.
        match.look_at = now + HEARD_IN
        task_queue.wake(task_queue.ANSWER_MAIL)
    elif decision.act is Act.FORFEIT and matches.is_past_end_date(match, decision.due_at or now):
        match.look_at = now + TRY_AGAIN  # the law of its contest ends it
    elif decision.act is Act.FORFEIT:
        _forfeit(match, request)
        return
    if decision.act is Act.NAG:
        _remind(match, mover, "reminder", now)
    if decision.act is Act.WARN:
        match.warned_at = now
        _remind(match, mover, "last-warning", now)
    match.save(update_fields=CLOCK_COLUMNS)


def _remind(match: Match, player: Player, kind: str, now: datetime) -> None:
    match.reminders += 1
    facts = {**match.facts, "is_over": match.ended_at is not None}
    notify(player, Event.REMINDER, kind, facts, now, match=match)
    task_queue.wake(task_queue.SEND_MAIL)


def _forfeit(match: Match, request: Request) -> None:
    matches.follow_up(matches.record_forfeit(match, request))
    task_queue.wake(task_queue.SEND_MAIL)


def record_heartbeat(now: datetime) -> None:
    """Record that the clocks are checked, and the downtime before if it was long.

    Called before any clock is judged.
    """
    if _is_beating(now):
        return
    with transaction.atomic():
        Heartbeat.objects.get_or_create(name=CLOCKS, defaults={"at": now})
        # Locked: two workers that come back must not record the same downtime twice.
        heartbeat = Heartbeat.objects.select_for_update().get(name=CLOCKS)
        if now - heartbeat.at > turns.AWAY_AFTER:
            Downtime.objects.create(starts_at=heartbeat.at, ends_at=now)
        if now < heartbeat.at:
            _undo_wrong_clock(now)
        heartbeat.at = now
        heartbeat.save(update_fields=["at"])


def _is_beating(now: datetime) -> bool:
    """Return whether the last heartbeat is recent enough to need none now."""
    last = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    return last is not None and now - min(BEAT_EVERY, turns.AWAY_AFTER / 2) < last <= now


def recalculate_after_downtime(now: datetime) -> int:
    """Work out again some of the clocks that ran when the server went away; return how many.

    The sweep asks for this until all are done: in the order of their ids, a batch in
    a transaction with how far it came. Nothing unjust can happen before: a board
    whose time seems to be up is worked out again before it is judged.
    """
    done = 0
    while done < MAX_SETTLED:
        with transaction.atomic():
            # Locked: workers settle it in turn, each from where the last one came to.
            downtime = Downtime.objects.select_for_update().filter(is_settled=False).first()
            if downtime is None:
                return done
            # Locked: a move meanwhile would have its new deadline overwritten.
            running = Match.objects.select_for_update(no_key=True).filter(
                pk__gt=downtime.settled_to,
                look_at__isnull=False,
                turn_began_at__lte=downtime.ends_at,
            )
            boards = list(running.order_by("pk")[:BATCH])
            recalculate_deadlines(boards, now)
            downtime.settled_to = boards[-1].pk if boards else downtime.settled_to
            downtime.is_settled = len(boards) < BATCH
            downtime.save(update_fields=["settled_to", "is_settled"])
            done += len(boards)
    task_queue.wake(task_queue.LOOK_AFTER_CLOCKS)
    return done


def _undo_wrong_clock(now: datetime) -> None:
    """Forget what a wrong clock of the machine put off, or recorded as downtime yet to come.

    `recalculate_after_downtime` then sets the deadlines of turns that began or were looked at
    meanwhile.
    """
    Downtime.objects.filter(starts_at__gte=now).delete()
    Downtime.objects.filter(ends_at__gt=now).update(ends_at=now)
    Match.objects.filter(turn_began_at__gt=now).update(turn_began_at=now)
    Match.objects.filter(warned_at__gt=now).update(warned_at=now)
    # Of no length: it stops no clock, and all boards that run are worked out again.
    Downtime.objects.create(starts_at=now, ends_at=now)
    latest = now + MAX_WAIT
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    waiting.filter(due_at__gt=latest).update(due_at=now)
    InboundMail.objects.filter(wait_until__gt=latest).update(wait_until=None)
