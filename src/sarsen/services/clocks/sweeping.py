"""Look after the clocks: remind, warn, and end the games whose time is used up."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, transaction

from sarsen.services import background, matches, unanswered, underway
from sarsen.services.board_news import tell_players
from sarsen.services.call import NOBODY, Call
from sarsen.services.clocks.downtime import beat, settle
from sarsen.services.clocks.running import FIELDS, turn_of
from sarsen.services.clocks.turns import Act, decide
from sarsen.services.notices import Event, notify
from sarsen.storage.models import Match, Player

MOST = 100  # boards of one run: other jobs get their turn
TRY_AGAIN = timedelta(hours=6)  # a board whose game is not there just now
HEARD_IN = timedelta(minutes=1)  # until then mail that came in time is answered, mostly
log = structlog.get_logger()


def sweep(now: datetime) -> int:
    """Do what is due about clocks; give how many were looked at.

    A silence of the server is recorded before any clock is judged. Each board is
    judged in a transaction of its own, locked and looked at anew: a move may come
    at the same moment. What is left over is done by the next run.
    """
    beat(now)
    settle(now)
    due = Match.objects.filter(look_at__lte=now).order_by("look_at")
    keys = list(due.values_list("pk", flat=True)[:MOST])
    for key in keys:
        underway.move()
        _look_after(key, now)
    if len(keys) == MOST:
        background.wake(background.LOOK_AFTER_CLOCKS)
    return len(keys)


def _look_after(key: int, now: datetime) -> None:
    with transaction.atomic():
        held = Match.objects.select_for_update(no_key=True)
        match = held.filter(pk=key, look_at__lte=now).first()
        if match is None:
            return  # somebody has moved, or another worker was here
        try:
            with transaction.atomic():
                _judge(match, now)
        except DatabaseError:
            raise
        except Exception:
            # A game may be anybody's code, taken off the server or broken: whatever is
            # wrong with one board, all the other clocks have to be looked after.
            log.exception("a clock cannot be judged", board=key)
            Match.objects.filter(pk=key).update(look_at=now + TRY_AGAIN)


def _judge(match: Match, now: datetime) -> None:
    mover = match.seats.select_related("player").get(seat=match.seat_to_move).player
    decision = decide(turn_of(match, now), now)
    match.due_at, match.look_at = decision.due_at, decision.look_at
    if decision.act is Act.FORFEIT and unanswered.is_unheard(decision.due_at):
        # When a mail came decides, not when it is read: one that waits may hold the move.
        match.look_at = now + HEARD_IN
        background.wake(background.ANSWER_MAIL)
    elif decision.act is Act.FORFEIT:
        _forfeit(match, mover, now)
        return
    if decision.act is Act.NAG:
        _remind(match, mover, "reminder", now)
    if decision.act is Act.WARN:
        match.warned_at = now
        _remind(match, mover, "last-warning", now)
    match.save(update_fields=FIELDS)


def _remind(match: Match, player: Player, kind: str, now: datetime) -> None:
    match.reminders += 1
    notify(player, Event.REMINDER, kind, _facts(match), now, match=match)
    background.wake(background.SEND_MAIL)


def _forfeit(match: Match, late: Player, now: datetime) -> None:
    matches.record_forfeit(match, now)
    tell_players(match, Call(NOBODY, now), kind="forfeit", late=late.userid)
    background.wake(background.SEND_MAIL)


def _facts(match: Match) -> dict[str, object]:
    is_over = match.ended_at is not None
    return {"board": match.pk, "ply": match.ply, "event": match.event_count, "is_over": is_over}
