"""`python -m bench [--quick] [--json FILE]`: measure, and print what was found."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.plan import FULL, QUICK
from bench.report import machine, print_report, write_json
from bench.running import run, steps


def main() -> None:
    """Measure everything once."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="within a minute, less exact")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    asked = parser.parse_args()
    # So that a terminated run stops its server and removes its folder, too.
    signal.signal(signal.SIGTERM, _interrupt)
    plan = QUICK if asked.quick else FULL
    about = machine()
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=steps(plan))

        def step(what: str) -> None:
            progress.update(task, description=what, advance=1)

        try:
            results = run(plan, step)
        except KeyboardInterrupt:
            sys.exit("stopped; nothing was left behind")
    if asked.json:
        write_json(asked.json, results, about)
    print_report(console, results, about)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
