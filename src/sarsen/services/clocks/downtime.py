"""Notice that the server was away: the sweep beats, and a silence counts for nobody."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from sarsen.services import background
from sarsen.services.clocks.pausing import CLOCKS, away_after
from sarsen.services.clocks.running import work_out_again
from sarsen.storage.models import Downtime, Heartbeat, InboundMail, Match, OutgoingMail

BATCH = 500  # boards of one transaction
MOST_SETTLED = 2_000  # of one run: other jobs get their turn
LONGEST_WAIT = timedelta(days=2)  # no letter and no mail is ever put off for so long
BEAT_EVERY = timedelta(minutes=1)  # written no more often: it is one commit to the disk


def beat(now: datetime) -> None:
    """Say that the clocks are looked after, and record the silence before if it was long.

    Called before any clock is judged.
    """
    last = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    if last is not None and now - min(BEAT_EVERY, away_after() / 2) < last <= now:
        return
    with transaction.atomic():
        Heartbeat.objects.get_or_create(name=CLOCKS, defaults={"at": now})
        heart = Heartbeat.objects.select_for_update().get(name=CLOCKS)
        if now - heart.at > away_after():
            Downtime.objects.create(starts_at=heart.at, ends_at=now)
        if now < heart.at:
            _set_back(now)
        heart.at = now
        heart.save(update_fields=["at"])


def settle(now: datetime) -> int:
    """Work out again some of the clocks that ran when the server went away; give how many.

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
    background.wake(background.LOOK_AFTER_CLOCKS)
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
