"""The contests that a server opens by itself: each game has one to enter, and a ladder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db.models import Q

from sarsen.games import contest_options, find
from sarsen.language.contests.law import BOTS, DAYS_TO_ENTER, LADDER
from sarsen.services import speakers
from sarsen.services.contests import making
from sarsen.services.contests.state import Phase
from sarsen.storage.models import Contest
from sarsen.storage.transactions import await_turn, in_transaction

# Of each game, with their options; they are filled up by programs.
FORMATS = {
    "round-robin": ("--most=4", f"--bots={BOTS}"),
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
    # A ladder is open for as long as it runs, and there is one, whoever has made it.
    open_ones = Contest.objects.filter(
        Q(host=None, state=Phase.OPEN) | Q(format=LADDER, state=Phase.RUNNING)
    )
    known = set(open_ones.values_list("format", "game"))
    opened = 0
    for name in find():
        options = contest_options(name)
        for named, words in FORMATS.items():
            if options is not None and (named, name) not in known:
                starts = now.astimezone(UTC).date() + timedelta(DAYS_TO_ENTER)
                making.open_contest(named, name, options, words, starts, now)
                opened += 1
    return opened
