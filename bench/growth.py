"""`python -m bench.growth [--most 1000000] [--json FILE]`: what a move costs as boards grow.

One database, doubled from a few hundred boards on. At each size the same things are timed,
as the doors do them, in this process: a move (rules, clock, events, two letters queued, one
durable commit), a page's list of a player's boards, every sweep with nothing due, and one
digest run. Beside them the durable commits a second of the same disk in the same minute.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.disk import durable_commits
from bench.figures import Spread, percentile, spread

MOVES = 200  # a size
DIGESTS = 100_000  # players in one run
NOW = datetime(2027, 1, 4, 12, tzinfo=UTC)
SIZES = (1_000, 10_000, 100_000, 1_000_000)
TITLES = {
    "move_ms": "a move, ms",
    "move_cpu_ms": "of it processor, ms",
    "move_p99_ms": "p99, ms",
    "listing_ms": "my boards, ms",
    "sweeps_ms": "idle sweeps, ms",
    "commits": "durable commits/s",
    "megabytes": "database, MB",
}


def main() -> None:
    """Fill, measure at each size, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="boards at the last size")
    parser.add_argument("--json", type=Path, metavar="FILE")
    asked = parser.parse_args()
    console = Console()
    beside = Path(__file__).parents[1] / ".venv"
    with tempfile.TemporaryDirectory(prefix="growth-", dir=beside) as folder:
        os.environ |= {
            "SARSEN_DATA": folder,
            "SARSEN_SECRET_KEY": "of a bench",
            "DJANGO_SETTINGS_MODULE": "sarsen.server.settings",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        rows = _measure_all(Path(folder), asked.most, console)
        with console.status("one run of digests"):
            digests = _measure_digests()
    table = Table("boards", *TITLES.values(), title="Growth")
    for row in rows:
        cells = [f"{row['boards']:,}", *(_cell(row[name]) for name in TITLES)]
        table.add_row(*cells)
    console.print(table)
    console.print(
        f"Digests of {digests['players']:,} players, {digests['items']:,} lines: "
        f"{digests['seconds']:.1f} s, of it processor {digests['cpu_seconds']:.1f} s, "
        f"{digests['megabytes']:.0f} MB more memory at the most"
    )
    if asked.json:
        found = {"sizes": rows, "digests": digests}
        asked.json.write_text(json.dumps(found, indent=1, default=asdict) + "\n", encoding="utf-8")


def _measure_all(folder: Path, most: int, console: Console) -> list[dict[str, Any]]:
    from bench.filling import double, fill_first

    filled = fill_first(NOW)
    rows = []
    for size in (one for one in SIZES if one <= most):
        with console.status(f"filling to {size:,} boards"):
            while filled.boards < size:
                filled = double(filled)
        with console.status(f"measuring at {filled.boards:,} boards"):
            rows.append(_measure(folder, filled.boards))
    return rows


def _measure(folder: Path, boards: int) -> dict[str, Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    dice = random.Random(boards)
    numbers = dice.sample(range(1, boards + 1), MOVES + 20)
    for number in numbers[:20]:
        _move(number, dice)
    timed = [_time(lambda number=number: _move(number, dice)) for number in numbers[20:]]
    listing = [_time(lambda: _list_mine(dice, boards))[0] for _ in range(20)]
    sweeps = [_time(_sweep)[0] for _ in range(5)]
    return {
        "boards": boards,
        "move_ms": spread([wall for wall, _ in timed]),
        "move_cpu_ms": spread([processor for _, processor in timed]),
        "move_p99_ms": percentile([wall for wall, _ in timed], 0.99),
        "listing_ms": spread(listing),
        "sweeps_ms": spread(sweeps[1:]),
        "commits": durable_commits(folder, 3, 0.5),
        "megabytes": sum(file.stat().st_size for file in folder.glob("*.sqlite3*")) / 1e6,
    }


def _measure_digests() -> dict[str, Any]:
    """Write the digests of very many players whose hour has come at once."""
    from bench.filling import fill_digests
    from sarsen.services.notices.digests import sweep_digests
    from sarsen.storage.models import Player

    players = min(Player.objects.count(), DIGESTS)
    items = fill_digests(players, NOW)
    before = _peak_megabytes()
    wall, processor = time.perf_counter(), time.process_time()
    while sweep_digests(NOW + timedelta(hours=1)):
        pass
    return {
        "players": players,
        "items": items,
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - processor,
        "megabytes": _peak_megabytes() - before,
    }


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _time(do: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds on the clock, and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    do()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def _move(number: int, dice: random.Random) -> None:
    from sarsen.language.commands import PlayMove
    from sarsen.services.dispatch import perform
    from sarsen.services.matches import matches
    from sarsen.services.request import Actor
    from sarsen.storage.models import Match

    match = Match.objects.get(pk=number)
    position = matches.position_of(match)
    text = position.format(dice.choice(position.legal_moves()))
    player = match.seats.select_related("player").get(seat=match.seat_to_move).player
    at = NOW + timedelta(hours=1)
    perform(PlayMove(match.game, number, text), Actor(player), f"bench:{number}", at)


def _list_mine(dice: random.Random, boards: int) -> None:
    from sarsen.language.commands import Games
    from sarsen.services.dispatch import perform
    from sarsen.services.request import NOBODY
    from sarsen.storage.models import Match

    player = Match.objects.get(pk=dice.randrange(1, boards + 1)).seats.all()[0].player
    perform(Games("", (player.userid,), "next"), NOBODY, "", NOW)


def _sweep() -> None:
    """Run every sweep that has nothing to do with mail."""
    from django.utils.module_loading import import_string

    from sarsen.services import task_queue

    for job in task_queue.SWEEPS:
        if job not in (task_queue.ANSWER_MAIL, task_queue.SEND_MAIL):
            import_string(job).call()


def _cell(value: Any) -> str:
    if isinstance(value, Spread):
        return f"{value.median:,.1f} ({value.low:,.1f}-{value.high:,.1f})"
    return f"{value:,.1f}"


if __name__ == "__main__":
    main()
