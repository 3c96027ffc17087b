"""`python -m bench.load`: load a whole server by mail, web and API, and print what was found."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from pathlib import Path

from rich.console import Console

from bench.load.plan import Load
from bench.load.report import print_load
from bench.load.running import Loaded, run, steps
from bench.report import machine, print_machine
from bench.steps import shown_steps
from sarsen.games import names


def main() -> None:
    """Load once."""
    asked = _arguments()
    connections = asked.connections or ([2] if asked.quick else [1, 16, 64])
    load = Load(
        seconds=asked.seconds or (0.5 if asked.quick else 4.0),
        connections=tuple(connections),
        boards=max(8 if asked.quick else 16, *connections),
        seed=asked.seed,
        games=tuple(asked.games or (("druid",) if asked.quick else names())),
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
    add("--quick", action="store_true", help="half a second a series: shows that all works")
    add("--seconds", type=float, help="of each series (default: 4)")
    add("--connections", type=int, nargs="+", metavar="N", help="(default: 1 16 64)")
    add("--games", nargs="+", choices=names(), help="(default: all)")
    add("--seed", type=int, default=1, help="of the games played")
    add("--workers", type=int, default=os.cpu_count(), help="(default: one a processor)")
    add("--no-slow-disk", action="store_true", help="leave out the disk with slower flushes")
    add("--json", type=Path, metavar="FILE", help="write all figures there, too")
    return parser.parse_args()


def _run(load: Load) -> Loaded:
    with shown_steps(steps(load)) as step:
        return run(load, step)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


if __name__ == "__main__":
    main()
