"""`python -m simulation [--season|--puzzles|--claims N] [--players 500] [--days 30] [--seed 1]`.

`--json FILE` writes the figures there, too; `--quick` takes few players and some days.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table


def main() -> None:
    """Run the month, the season or the year, check the books, and print them."""
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--days", type=int, help="30, of a season 84, of puzzles 365")
    parser.add_argument("--season", action="store_true", help="of a league, not a month")
    parser.add_argument("--puzzles", action="store_true", help="of ratings of puzzles, a year")
    parser.add_argument(
        "--claims", type=int, metavar="N", help="claims that are not proven, and a tenth that are"
    )
    parser.add_argument("--timed", type=int, default=10, help="searches of each kind, with claims")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the books there, too")
    parser.add_argument("--quick", action="store_true", help="few players, some days")
    asked = parser.parse_args()
    asked.days = asked.days or (84 if asked.season else 365 if asked.puzzles else 30)
    if asked.quick:
        asked.players, asked.days = (
            (12, 28) if asked.season else (40, 90) if asked.puzzles else (40, 4)
        )
    console = Console(width=None if sys.stdout.isatty() else 120)
    with tempfile.TemporaryDirectory(prefix="sarsen-month-") as folder:
        books = _run(asked, Path(folder))
    table = Table("what", "number", title=f"{asked.players} people, {asked.days} days")
    for name, value in books["figures"].items():
        table.add_row(name, f"{value:,}" if isinstance(value, int) else str(value))
    console.print(table)
    for fault in books["faults"][:50]:
        console.print(f"[red]does not balance:[/red] {fault}")
    if asked.json:
        asked.json.write_text(json.dumps(books, indent=1) + "\n", encoding="utf-8")
    if books["faults"]:
        sys.exit(f"{len(books['faults'])} entries do not balance")
    console.print("The books balance.")


def _run(asked: argparse.Namespace, folder: Path) -> dict:  # type: ignore[type-arg]
    os.environ |= {
        "SARSEN_DATA": str(folder),
        "SARSEN_CONTESTS": "off",  # the books are those of boards
        "SARSEN_SECRET_KEY": "of a month that never was",
        "SARSEN_DOMAIN": "sarsen.test",
        "SARSEN_URL": "http://sarsen.test",
        "SARSEN_MAIL_PICTURES": "False",
        "DJANGO_SETTINGS_MODULE": "sarsen.server.settings",
    }
    import django

    django.setup()
    from django.core.management import call_command

    if asked.puzzles:  # no server takes part
        from simulation.puzzles import run_puzzles

        return run_puzzles(asked.players, asked.days, asked.seed)
    from bench.server import make_tables

    from simulation.claims import run_claims
    from simulation.running import run_month
    from simulation.season import run_season

    if os.environ.get("DATABASE_URL"):
        call_command("migrate", verbosity=0, interactive=False)
    else:
        make_tables(folder)
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    begun = time.monotonic()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("joining", total=asked.days)

        def step(what: str) -> None:
            progress.update(task, description=what, advance=1)

        if asked.season:
            books = run_season(asked.players, asked.days, asked.seed, step)
        elif asked.claims:
            books = run_claims(asked.claims, asked.seed, step, timed=asked.timed)
        else:
            books = run_month(asked.players, asked.days, asked.seed, folder, step)
    books["figures"]["seconds it took"] = round(time.monotonic() - begun)
    return books


if __name__ == "__main__":
    main()
