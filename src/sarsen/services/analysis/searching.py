"""The thinker's side: take the oldest question, and settle what its search has used."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from sarsen.search.analysis import Analysis
from sarsen.services.analysis import results
from sarsen.services.analysis.budget import LEAST_SECONDS
from sarsen.services.analysis.questions import OPEN
from sarsen.storage import calls
from sarsen.storage.models import Analyst

# A process that dies at a question leaves it to the next one after this time; a search takes less.
CLAIM_LASTS = timedelta(seconds=20)
MAX_ATTEMPTS = 4  # then it is charged in full, and said to have failed
MAX_GIVEN_WAY = 2  # attempts that end when a board waits; the next one goes on beside it


@dataclass(frozen=True)
class Claim:
    """A question that nobody else takes for a while.

    Attributes:
        seconds: That its search may take.
        attempt: Counts from 1.
    """

    row: int
    number: int
    game: str
    position: str
    result: str
    seconds: float
    attempt: int = 1

    @property
    def gives_way(self) -> bool:
        """Whether its search ends when a board waits, to begin anew."""
        return self.attempt <= MAX_GIVEN_WAY


def is_any_waiting() -> bool:
    """Return whether a question waits, or is searched."""
    return Analyst.objects.filter(state__in=OPEN).exists()


def claim(now: datetime, but: Collection[str] = ()) -> Claim | None:
    """Claim the question that has waited longest; None when none waits.

    Args:
        but: Games to leave out, whose searches are not ready.
    """
    with transaction.atomic():
        # One that another thinker is just claiming is skipped.
        locked = Analyst.objects.select_for_update(skip_locked=True, no_key=True)
        due = locked.filter(state__in=OPEN, due_at__lte=now).exclude(game__in=but)
        for row in due.order_by("asked_at", "pk")[:10]:
            if row.attempts >= MAX_ATTEMPTS:
                _end(row, row.reserved, Analyst.State.FAILED)
                continue
            row.attempts += 1
            row.state, row.due_at = Analyst.State.RUNNING, now + CLAIM_LASTS
            row.began_at = row.began_at or now
            row.save(update_fields=["attempts", "state", "due_at", "began_at"])
            facts = (row.game, row.position, row.result, row.reserved, row.attempts)
            return Claim(row.pk, row.number, *facts)
    return None


def is_wanted(claim: Claim) -> bool:
    """Return whether somebody still waits for the answer."""
    rows = Analyst.objects.filter(pk=claim.row, number=claim.number, state=Analyst.State.RUNNING)
    return rows.exists()


def settle(claim: Claim, analysis: Analysis, now: datetime) -> None:
    """Keep an answer, and charge what it took, once, however many have searched it."""
    results.store(claim.result, claim.position, analysis, claim.seconds, now)
    with transaction.atomic():
        row = Analyst.objects.select_for_update(no_key=True).filter(pk=claim.row).first()
        if row is None or row.number != claim.number or row.state != Analyst.State.RUNNING:
            return  # cancelled, or another process was first: our claim had run out
        _end(row, analysis.seconds, Analyst.State.DONE)


def give_back(claim: Claim, now: datetime) -> None:
    """Leave a question to the next search, where it is still wanted."""
    rows = Analyst.objects.filter(pk=claim.row, number=claim.number, state=Analyst.State.RUNNING)
    rows.update(state=Analyst.State.WAITING, due_at=now)


def _end(row: Analyst, used: float, state: str) -> None:
    row.spent += min(max(used, LEAST_SECONDS), row.reserved)
    row.state, row.reserved = state, 0.0
    row.save(update_fields=["spent", "state", "reserved"])
    calls.call(calls.NEWS)
