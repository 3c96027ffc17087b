"""Look after the clocks: remind, warn, and end the games whose time is used up."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction

from sarsen.services import crash_log, task_queue
from sarsen.services.clocks import arithmetic
from sarsen.services.clocks.arithmetic import CLOCKS
from sarsen.services.clocks.running import turn_of, work_out_again
from sarsen.services.clocks.turns import Act, decide
from sarsen.services.mail import waiting
from sarsen.services.matches import matches
from sarsen.services.matches.matches import CLOCK_COLUMNS
from sarsen.services.notices import Event, notify
from sarsen.services.request import NOBODY, AfterEvents, Request
from sarsen.storage.models import Downtime, Heartbeat, InboundMail, Match, OutgoingMail, Player

MOST = 100  # boards of one run: other jobs get their turn
TRY_AGAIN = timedelta(hours=6)  # a board whose game is not there just now
HEARD_IN = timedelta(minutes=1)  # until then mail that came in time is answered, mostly
log = structlog.get_logger()


def sweep(now: datetime, after_events: AfterEvents) -> int:
    """Do what is due about clocks; return how many were looked at.

    A silence of the server is recorded before any clock is judged. Each board is
    judged in a transaction of its own, locked and looked at anew: a move may come
    at the same moment. The rest is done by the next run.
    """
    request = Request(NOBODY, now, after_events)
    beat(now)
    settle(now)
    due = Match.objects.filter(look_at__lte=now).order_by("look_at")
    keys = list(due.values_list("pk", flat=True)[:MOST])
    for key in keys:
        crash_log.move()
        _look_after(key, request)
    if len(keys) == MOST:
        task_queue.wake(task_queue.LOOK_AFTER_CLOCKS)
    return len(keys)


def _look_after(key: int, request: Request) -> None:
    now = request.now
    with transaction.atomic():
        held = Match.objects.select_for_update(no_key=True)
        match = held.filter(pk=key, look_at__lte=now).first()
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
            log.exception("a clock cannot be judged", board=key)
            Match.objects.filter(pk=key).update(look_at=now + TRY_AGAIN)


def _judge(match: Match, request: Request) -> None:
    now = request.now
    mover = match.seats.select_related("player").get(seat=match.seat_to_move).player
    decision = decide(turn_of(match, now), now)
    match.due_at, match.look_at = decision.due_at, decision.look_at
    if decision.act is Act.FORFEIT and waiting.is_unheard(decision.due_at):
        # When a mail came decides, not when it is read: one that waits may hold the move.
        match.look_at = now + HEARD_IN
        task_queue.wake(task_queue.ANSWER_MAIL)
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
    notify(player, Event.REMINDER, kind, _facts(match), now, match=match)
    task_queue.wake(task_queue.SEND_MAIL)


def _forfeit(match: Match, request: Request) -> None:
    matches.follow_up(matches.record_forfeit(match, request))
    task_queue.wake(task_queue.SEND_MAIL)


def _facts(match: Match) -> dict[str, object]:
    is_over = match.ended_at is not None
    return {"board": match.pk, "ply": match.ply, "event": match.event_count, "is_over": is_over}


BATCH = 500  # boards of one transaction
MOST_SETTLED = 2_000  # of one run: other jobs get their turn
LONGEST_WAIT = timedelta(days=2)  # no letter and no mail is ever put off for so long
BEAT_EVERY = timedelta(minutes=1)  # written no more often: it is one commit to the disk


def beat(now: datetime) -> None:
    """Record that the clocks are checked, and the downtime before if it was long.

    Called before any clock is judged.
    """
    last = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    if last is not None and now - min(BEAT_EVERY, arithmetic.AWAY_AFTER / 2) < last <= now:
        return
    with transaction.atomic():
        Heartbeat.objects.get_or_create(name=CLOCKS, defaults={"at": now})
        heart = Heartbeat.objects.select_for_update().get(name=CLOCKS)
        if now - heart.at > arithmetic.AWAY_AFTER:
            Downtime.objects.create(starts_at=heart.at, ends_at=now)
        if now < heart.at:
            _set_back(now)
        heart.at = now
        heart.save(update_fields=["at"])


def settle(now: datetime) -> int:
    """Work out again some of the clocks that ran when the server went away; return how many.

    The sweep asks for this until all are done: in the order of their ids, a batch in
    a transaction with how far it came. Nothing unjust can happen before: a board
    whose time seems to be up is worked out again before it is judged.
    """
    done = 0
    while done < MOST_SETTLED:
        with transaction.atomic():
            gone = Downtime.objects.select_for_update().filter(is_settled=False).first()
            if gone is None:
                return done
            running = Match.objects.select_for_update(no_key=True).filter(
                pk__gt=gone.settled_to, look_at__isnull=False, turn_began_at__lte=gone.ends_at
            )
            boards = list(running.order_by("pk")[:BATCH])
            work_out_again(boards, now)
            gone.settled_to = boards[-1].pk if boards else gone.settled_to
            gone.is_settled = len(boards) < BATCH
            gone.save(update_fields=["settled_to", "is_settled"])
            done += len(boards)
    task_queue.wake(task_queue.LOOK_AFTER_CLOCKS)
    return done


def _set_back(now: datetime) -> None:
    """Forget what a wrong clock of the machine put off, or recorded as downtime yet to come.

    Deadlines of turns that began or were looked at meanwhile are worked out again by `settle`.
    """
    Downtime.objects.filter(starts_at__gte=now).delete()
    Downtime.objects.filter(ends_at__gt=now).update(ends_at=now)
    Match.objects.filter(turn_began_at__gt=now).update(turn_began_at=now)
    Match.objects.filter(warned_at__gt=now).update(warned_at=now)
    # Of no length: it stops no clock, and all boards that run are worked out again.
    Downtime.objects.create(starts_at=now, ends_at=now)
    far = now + LONGEST_WAIT
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    waiting.filter(due_at__gt=far).update(due_at=now)
    InboundMail.objects.filter(wait_until__gt=far).update(wait_until=None)
