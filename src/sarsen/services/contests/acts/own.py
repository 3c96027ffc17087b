"""The contests that a server opens by itself: each game has one to enter, a league, a ladder."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.db.models import Q

from sarsen.games import contest_options, find
from sarsen.language.contests.law import BOTS, DAYS_TO_ENTER, LADDER, LEAGUE
from sarsen.services import speakers
from sarsen.services.contests.acts import making
from sarsen.services.contests.state import Phase
from sarsen.storage.models import Contest
from sarsen.storage.transactions import await_turn, in_transaction

# Of each game, with their options; they are filled up by programs.
FORMATS = {
    "round-robin": ("--most=4", f"--bots={BOTS}"),
    LEAGUE: (f"--bots={BOTS}",),
    LADDER: (f"--bots={BOTS}",),
}


def open_missing(now: datetime) -> int:
    """Open the contests of each game that the server has not got; return how many."""
    if not (settings.SARSEN_CONTESTS and settings.SARSEN_BOTS):
        return 0  # without programs that make up the number, they would wait for ever
    return in_transaction(lambda: _open_missing(now))


def _open_missing(now: datetime) -> int:
    speakers.hold_everybody()
    await_turn("contests of the server")  # two workers would open two each
    # Of a league there is always one season open or running, and a ladder is open while it runs;
    # of ladders there is one, whoever has made it; one that an operator has closed stays closed.
    known = set(
        Contest.objects.filter(
            Q(host=None, state=Phase.OPEN)
            | Q(host=None, format__in=(LEAGUE, LADDER))
            | Q(format=LADDER, state=Phase.RUNNING)
        ).values_list("format", "game")
    )
    opened = 0
    for name in find():
        options = contest_options(name)
        for named, words in FORMATS.items():
            if options is not None and (named, name) not in known:
                starts = _sunday(now) if named == LEAGUE else _usual_day(now)
                making.open_contest(named, name, options, words, starts, now)
                opened += 1
    return opened


def _usual_day(now: datetime) -> date:
    return now.astimezone(UTC).date() + timedelta(DAYS_TO_ENTER)


def _sunday(now: datetime) -> date:
    """Return the last day of entry: the next day is the first Monday that is two weeks away."""
    earliest = _usual_day(now)
    return earliest + timedelta(-earliest.weekday() % 7 - 1)
