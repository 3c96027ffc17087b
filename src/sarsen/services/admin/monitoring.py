"""What a monitor reads of the server, from the database: the same whichever process is asked.

Monitors ask four times a minute: each figure costs an index look-up, however much is stored.
Players and boards in play are too many to count for that: they are those last counted by
`events.statistics`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Min, Model
from django_tasks_db.models import DBTaskResult

from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.events.statistics import figures
from sarsen.storage.models import (
    Heartbeat,
    InboundMail,
    Match,
    MatchEvent,
    OutgoingMail,
)

# Longer than any sweep waits. Monitoring is told that work is late.
LATE = timedelta(minutes=5)
A_DAY = timedelta(days=1)  # mails set aside longer ago raise no alarm any more


@dataclass(frozen=True)
class Metrics:
    """How much there is, and how long the oldest of it has waited.

    Attributes:
        events, mails, letters: The highest number given to one, ever: they only grow, so that
            their growth is what happened.
        mails_waiting: Taken, and not answered.
        mails_set_aside: Given up in the last day, because we could not answer them.
        letters_waiting: Due now or later, those included that were refused for now.
        letters_refused: Of these, refused for now at least once.
        oldest_mail, oldest_letter: Seconds for which the oldest has been due; 0 for none.
        running_boards: As they were counted in the last minutes.
        clocks_age: Seconds since the clocks were looked at; None when they never were.
    """

    running_boards: int
    events: int
    mails: int
    letters: int
    mails_waiting: int
    mails_set_aside: int
    letters_waiting: int
    letters_refused: int
    oldest_mail: float
    oldest_letter: float
    clocks_age: float | None
    jobs_waiting: int
    jobs_running: int

    @property
    def ailments(self) -> tuple[str, ...]:
        """Return the names of what is late, on which programs can rely."""
        late = LATE.total_seconds()
        checks = {
            "clocks": self.clocks_age is None or self.clocks_age > late,
            "mail-in": self.oldest_mail > late,
            "mail-out": self.oldest_letter > late,
        }
        return tuple(name for name, is_late in checks.items() if is_late)


def measure(now: datetime) -> Metrics:
    """Count what there is."""
    new = InboundMail.objects.filter(state=InboundMail.State.NEW)
    set_aside = InboundMail.objects.filter(
        state=InboundMail.State.FAILED, received_at__gt=now - A_DAY
    )
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    # A letter that was refused waits on purpose: it says nothing of the sender's health.
    due = waiting.filter(attempts=0, due_at__lte=now).aggregate(at=Min("due_at"))["at"]
    heartbeat = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    return Metrics(
        running_boards=figures(now).running,
        events=_highest(MatchEvent),
        mails=_highest(InboundMail),
        letters=_highest(OutgoingMail),
        mails_waiting=new.count(),
        mails_set_aside=set_aside.count(),
        letters_waiting=waiting.count(),
        letters_refused=waiting.filter(attempts__gt=0).count(),
        oldest_mail=_age(new.aggregate(at=Min("received_at"))["at"], now),
        oldest_letter=_age(due, now),
        clocks_age=None if heartbeat is None else _age(heartbeat, now),
        jobs_waiting=DBTaskResult.objects.ready().count(),
        jobs_running=DBTaskResult.objects.running().count(),
    )


def _highest(model: type[Model]) -> int:
    highest: int | None = model._default_manager.aggregate(highest=Max("pk"))["highest"]
    return highest or 0


def _age(at: datetime | None, now: datetime) -> float:
    return 0.0 if at is None else max(0.0, (now - at).total_seconds())


def check_store() -> None:
    """Query one row; whatever that raises means that the database cannot serve."""
    Match.objects.order_by("pk").values_list("pk", flat=True).first()
