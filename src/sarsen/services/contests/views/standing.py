"""Contests in which nothing goes on, for operators: since when, for whom, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from sarsen.services.contests.course import running
from sarsen.services.contests.state import Kind, Phase
from sarsen.services.matches.terms import CONTEST
from sarsen.storage.models import Contest, Match

MAX_TURNS = 50  # of a page: those that wait longest
MAX_DELAYED = 100


@dataclass(frozen=True)
class OldTurn:
    """A board of a running contest at which somebody is to move.

    Attributes:
        since: When the turn began.
        due_at: When it is lost on time; None where no clock runs.
        ends_at: When the law decides the board otherwise.
    """

    contest: int
    name: str
    board: int
    userid: str
    other: str
    since: datetime
    due_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True)
class LateContest:
    """A contest that should have been carried on an hour ago."""

    number: int
    name: str
    state: str
    entrants: int
    since: datetime


@dataclass(frozen=True)
class DelayedContest:
    """A contest that was put off, for too few had joined.

    Attributes:
        since: When it was put off last.
        starts_at: Until when it is open now.
    """

    number: int
    name: str
    entrants: int
    least: int
    delays: int
    since: datetime
    starts_at: datetime | None


@dataclass(frozen=True)
class Standing:
    """What stands still in contests, the oldest first."""

    late: tuple[LateContest, ...]
    delayed: tuple[DelayedContest, ...]
    turns: tuple[OldTurn, ...]


def view_standing(now: datetime) -> Standing:
    """Return the contests that are late or put off, and the oldest turns of those that run."""
    return Standing(_late(now), _delayed(), _turns())


def _late(now: datetime) -> tuple[LateContest, ...]:
    found = running.late_ones(now)
    contests = Contest.objects.annotate(entrants=Count("entries")).in_bulk(
        [key for key, _ in found]
    )
    return tuple(
        LateContest(key, contest.name, contest.state, contest.entrants, since)
        for key, since in found
        for contest in [contests[key]]
    )


def _delayed() -> tuple[DelayedContest, ...]:
    opened = Q(log__kind=Kind.OPENED)
    # Where nobody is in it, nobody waits. The first event of this kind belongs to making it.
    # Entries are counted apart from the log.
    contests = (
        Contest.objects.filter(state=Phase.OPEN)
        .annotate(
            openings=Count("log", filter=opened, distinct=True),
            put_off_at=Max("log__due", filter=opened),
            entrants=Count("entries", distinct=True),
        )
        .filter(openings__gt=1, entrants__gt=0)
    )
    return tuple(
        DelayedContest(
            contest.pk,
            contest.name,
            contest.entrants,
            contest.law["least"],
            contest.openings - 1,
            contest.put_off_at,
            contest.starts_at,
        )
        for contest in contests.order_by("put_off_at", "pk")[:MAX_DELAYED]
    )


def _turns() -> tuple[OldTurn, ...]:
    # A board whose terms name no contest any more has become an ordinary one (E28).
    matches = Match.objects.filter(
        ended_at=None, contest_board__contest__state=Phase.RUNNING, terms__has_key=CONTEST
    )
    oldest = matches.order_by("moved_at", "pk").select_related("contest_board__contest")
    turns = []
    for match in oldest.prefetch_related("seats__player")[:MAX_TURNS]:
        contest = match.contest_board.contest
        userids = [seat.player.userid for seat in match.seats.all()]
        userid = userids.pop(match.seat_to_move)
        turns.append(
            OldTurn(
                contest.pk,
                contest.name,
                match.pk,
                userid,
                userids[0],
                match.moved_at,
                match.due_at,
                contest.ends_at,
            )
        )
    return tuple(turns)
