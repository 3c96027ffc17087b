"""`python -m bench.contests [--entrants 1000]`: what the start of a large league costs.

The league starts as the server starts it: sweep after sweep, each a transaction of at most 100
boards. Measured are the processor time of each, all of them together, a sweep after one result,
and the page of the league as the web process makes it: just started, and half played.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.figures import Spread, spread
from bench.server import make_tables

NOW = datetime(2027, 1, 4, 12, tzinfo=UTC)
GAME, OPTIONS = "druid", "-size=8"
PAGES = 40
# Seconds: of one transaction, for which other writers wait; of all boards; of the page.
LIMITS = {
    **{"a transaction": 2.0, "all boards": 120.0},
    **{"its page": 0.2, "its page, half played": 0.2, "the page of the next season": 0.2},
}


def main() -> None:
    """Fill a league, start it, and print the seconds."""
    options = argparse.ArgumentParser(prog="python -m bench.contests", description=__doc__)
    options.add_argument("--entrants", type=int, default=1000)
    options.add_argument("--quick", action="store_true", help="30 players: shows that all works")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="contests-") as folder:
        boards, found = _measure(Path(folder), 30 if asked.quick else asked.entrants)
    print(f"{boards} boards")
    for what, taken in found.items():
        limit = f", limit {LIMITS[what]:g}" if what in LIMITS else ""
        print(f"{what}: {taken.median:.3f} s ({taken.low:.3f}-{taken.high:.3f}{limit})")


def _measure(folder: Path, entrants: int) -> tuple[int, dict[str, Spread]]:
    _set_up(folder)
    from django.test import Client

    from sarsen.language.commands import Resign
    from sarsen.server.setup import collect_rarely
    from sarsen.services.after_events import AFTER_EVENTS
    from sarsen.services.contests.course import running
    from sarsen.services.dispatch import perform
    from sarsen.services.request import Actor
    from sarsen.storage.models import Contest, Match

    make_tables(folder)
    number, starts_at = _fill(entrants)
    transactions, began = [], time.process_time()
    while running.is_any_due(starts_at):
        one = time.process_time()
        running.sweep(starts_at, AFTER_EVENTS)
        transactions.append(time.process_time() - one)
    started = time.process_time() - began
    assert Contest.objects.get(pk=number).state == "running"
    client = Client()

    def page(of: int) -> float:
        began = time.process_time()
        assert client.get(f"/contests/{of}/", headers={"host": "localhost"}).status_code == 200
        return time.process_time() - began

    page(number)  # it reads templates
    collect_rarely()  # as the web process does
    following = Contest.objects.get(season=2).pk
    match = Match.objects.earliest("pk")
    loser = match.seat_rows[0].player
    perform(Resign(match.game, match.pk, confirmed=True), Actor(loser), "", starts_at)
    one = time.process_time()
    running.sweep(starts_at, AFTER_EVENTS)
    after_result = time.process_time() - one
    pages = [page(number) for _ in range(PAGES)]
    next_pages = [page(following) for _ in range(PAGES)]
    _play_half(starts_at)
    return Match.objects.count(), {
        "a transaction": spread(transactions),
        "all boards": spread([started]),
        "a sweep after a result": spread([after_result]),
        "its page": spread(pages),
        "its page, half played": spread([page(number) for _ in range(PAGES)]),
        "the page of the next season": spread(next_pages),
    }


def _play_half(starts_at: datetime) -> None:
    """Let every player have moved, and every second board be over, as if they had been played."""
    from django.db.models import F

    from sarsen.storage.models import Match

    boards, at = Match.objects.filter(ended_at=None), starts_at + timedelta(days=30)
    boards.update(ply=12, turn_began_at=at, moved_at=at)
    boards.alias(odd=F("pk") % 2).filter(odd=1).update(scores=[1.0, 0.0], ended_at=at)


def _set_up(folder: Path) -> None:
    os.environ |= {
        "SARSEN_DATA": str(folder),
        "SARSEN_SECRET_KEY": "of a bench",
        "DJANGO_SETTINGS_MODULE": "sarsen.server.settings",
    }
    os.environ.pop("DATABASE_URL", None)  # of somebody who runs this on a server
    warnings.filterwarnings("ignore", "No directory at")  # static files: no browser asks for them
    import django
    from django.conf import settings

    django.setup()
    settings.ALLOWED_HOSTS = ["localhost"]


def _fill(entrants: int) -> tuple[int, datetime]:
    """Make a league with these many players; return its number, and when it starts."""
    from django.db import transaction

    from sarsen.services.contests import log as contest_log
    from sarsen.services.contests.acts import making
    from sarsen.storage.models import Address, Player

    starts = NOW.date() + timedelta(days=14)
    with transaction.atomic():
        contest = making.open_contest("league", GAME, OPTIONS, (), starts, NOW)
        names = [f"p{number}" for number in range(entrants)]
        players = Player.objects.bulk_create(
            Player(key=name, userid=name, joined_at=NOW) for name in names
        )
        Address.objects.bulk_create(
            Address(player=one, address=f"{one.key}@players.example", confirmed_at=NOW)
            for one in players
        )
        held = contest_log.hold(contest.pk)
        contest_log.enter_all(held, [{"player": one.pk} for one in players], NOW)
        assert held.state.starts_at is not None  # it is open
        held.save(held.state.starts_at)
    return contest.pk, held.state.starts_at


if __name__ == "__main__":
    main()
