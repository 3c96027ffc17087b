"""What a move by mail costs beside itself: with pictures, and alone in its batch.

`python -m bench.mail_ratios [--runs 3]` takes the processor time of `bench.mailcost` in each way,
in turn, so that a busy machine slows all of them: what counts are the ratios. "Worker" is without
the listener, which takes a mail whatever becomes of it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

from rich.console import Console
from rich.table import Table

from bench.figures import Spread, spread

PLAIN = "in batches"
# The same games in all three: of one board the game would decide.
WAYS = {
    PLAIN: ("--rounds", "5"),
    "in batches, with pictures": ("--rounds", "5", "--pictures"),
    "alone in its batch": ("--in-turn", "--boards", "4", "--ahead", "1", "--rounds", "14"),
}
QUICK = ("--boards", "4", "--ahead", "1", "--rounds", "1")
_STAGE = re.compile(r"^(\w+) +(\d+)\b", re.MULTILINE)


def main() -> None:
    """Measure each way in turn, and print a line for each."""
    options = argparse.ArgumentParser(prog="python -m bench.mail_ratios")
    options.add_argument("--runs", type=int, default=3, help="of each way")
    options.add_argument("--quick", action="store_true", help="one short run: shows that all works")
    asked = options.parse_args()
    found: dict[str, list[dict[str, int]]] = {way: [] for way in WAYS}
    for _ in range(1 if asked.quick else asked.runs):
        for way, given in WAYS.items():
            found[way].append(_stages((*given, *QUICK) if asked.quick else given))
    Console(width=120).print(_table(found))


def _stages(options: tuple[str, ...]) -> dict[str, int]:
    """Return microseconds a move by stage."""
    command = [sys.executable, "-m", "bench.mailcost", *options]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    return {stage: int(cost) for stage, cost in _STAGE.findall(done.stdout)}


def _table(found: dict[str, list[dict[str, int]]]) -> Table:
    table = Table(title="A move by mail, processor microseconds (median, lowest-highest)")
    for column in ("", "whole", "beside batches", "worker", "beside batches"):
        table.add_column(column, justify="right" if column else "left")
    plain = found[PLAIN]
    for way, runs in found.items():
        row = [way]
        for cost in (_whole, _of_worker):
            # Each run beside the one of the same turn.
            pairs = zip(runs, plain, strict=True)
            ratio = spread([cost(run) / cost(other) for run, other in pairs])
            row += [_written(spread(list(map(cost, runs))), 0), _written(ratio, 2)]
        table.add_row(*row)
    return table


def _whole(stages: dict[str, int]) -> float:
    return stages["whole"]


def _of_worker(stages: dict[str, int]) -> float:
    return stages["whole"] - stages["listen"]


def _written(found: Spread, digits: int) -> str:
    shown = (f"{value:,.{digits}f}" for value in (found.median, found.low, found.high))
    return "{} ({}-{})".format(*shown)


if __name__ == "__main__":
    main()
