"""The contests that a server opens by itself: one of each game is always open for entry."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.conf import settings

from sarsen.games import contest_options, find
from sarsen.language.contests.law import BOTS, DAYS_TO_ENTER
from sarsen.services import speakers
from sarsen.services.contests import making
from sarsen.services.contests.state import Phase
from sarsen.storage.models import Contest
from sarsen.storage.transactions import await_turn, in_transaction

FORMAT = "round-robin"
WORDS = ("--most=4", f"--bots={BOTS}")


def open_missing(now: datetime) -> int:
    """Open a contest of each game that has none of the server's; return how many."""
    if not (settings.SARSEN_CONTESTS and settings.SARSEN_BOTS):
        return 0  # without programs that make up the number, they would wait for ever
    return in_transaction(lambda: _open_missing(now))


def _open_missing(now: datetime) -> int:
    speakers.hold_everybody()
    await_turn("contests of the server")  # two workers would open two each
    open_ones = Contest.objects.filter(host=None, state=Phase.OPEN)
    has_one = set(open_ones.values_list("game", flat=True))
    opened = 0
    for name in find():
        options = contest_options(name)
        if options is not None and name not in has_one:
            starts = now.astimezone(UTC).date() + timedelta(DAYS_TO_ENTER)
            making.open_contest(FORMAT, name, options, WORDS, starts, now)
            opened += 1
    return opened
