"""`python -m bench [--quick] [--search] [--json FILE]`: measure, and print what was found."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.plan import FULL, QUICK, Plan
from bench.report import machine, print_machine, print_report, write_json
from bench.running import SEARCH_STEPS, Results, SearchResults, run, run_search, steps
from bench.search_report import print_search


def main() -> None:
    """Measure everything once."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="within a minute, less exact")
    parser.add_argument("--search", action="store_true", help="only kernels, and what thinks")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    asked = parser.parse_args()
    # So that a terminated run stops its server and removes its folder, too.
    signal.signal(signal.SIGTERM, _interrupt)
    plan = QUICK if asked.quick else FULL
    about = machine()
    console = Console(width=None if sys.stdout.isatty() else 120)
    results = _measured(plan, only_search=asked.search)
    if asked.json:
        write_json(asked.json, results, about)
    if isinstance(results, SearchResults):
        print_machine(console, about)
        print_search(console, results)
    else:
        print_report(console, results, about)


def _measured(plan: Plan, *, only_search: bool) -> Results | SearchResults:
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=SEARCH_STEPS if only_search else steps(plan))

        def step(what: str) -> None:
            progress.update(task, description=what, advance=1)

        try:
            return run_search(plan, step) if only_search else run(plan, step)
        except KeyboardInterrupt:
            sys.exit("stopped; nothing was left behind")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
