"""`python -m bench.load`: load a whole server by mail, web and API, and print what was found."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.load.plan import Load
from bench.load.report import print_load
from bench.load.running import Loaded, run, steps
from bench.report import machine, print_machine
from sarsen.games import names


def main() -> None:
    """Load once."""
    asked = _arguments()
    # So that a terminated run stops its server and removes its folder, too.
    signal.signal(signal.SIGTERM, _interrupt)
    load = Load(
        seconds=asked.seconds,
        connections=tuple(asked.connections),
        boards=max(16, *asked.connections),
        seed=asked.seed,
        games=tuple(asked.games or names()),
        slow=not asked.no_slow_disk,
        workers=asked.workers,
    )
    about = machine()
    found = _run(load)
    if asked.json:
        facts = {"machine": about, "load": load, "found": found}
        asked.json.write_text(json.dumps(facts, indent=1, default=_plain) + "\n", encoding="utf-8")
    console = Console(width=None if sys.stdout.isatty() else 120)
    print_machine(console, about)
    print_load(console, found)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    add = parser.add_argument
    add("--seconds", type=float, default=4.0, help="of each series (default: 4)")
    add("--connections", type=int, nargs="+", default=[1, 16, 64], metavar="N")
    add("--games", nargs="+", choices=names(), help="(default: all)")
    add("--seed", type=int, default=1, help="of the games played")
    add("--workers", type=int, default=os.cpu_count(), help="(default: one a processor)")
    add("--no-slow-disk", action="store_true", help="leave out the disk with slower flushes")
    add("--json", type=Path, metavar="FILE", help="write all figures there, too")
    return parser.parse_args()


def _run(load: Load) -> Loaded:
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=steps(load))

        def step(what: str) -> None:
            progress.update(task, description=what, advance=1)

        try:
            return run(load, step)
        except KeyboardInterrupt:
            sys.exit("stopped; nothing was left behind")


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
