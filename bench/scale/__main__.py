"""`python -m bench.scale [measure DATABASE]`: compute docs/scale.md, from new costs."""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

from bench.scale import paced
from bench.scale.costs import KEPT, costs_of, read_costs, write_costs
from bench.scale.page import page
from bench.steps import shown_steps

PAGE = Path(__file__).parents[2] / "docs/scale.md"


def main() -> None:
    """Keep costs, or compute the page."""
    asked = _arguments()
    if asked.what:
        with shown_steps(paced.steps()) as step:
            seconds = paced.QUICK if asked.quick else asked.seconds
            found = paced.measure(seconds, asked.per_second, asked.postgres, step)
        machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
        costs = costs_of(found, asked.database, machine)
        if asked.quick:
            print(costs)
            return
        write_costs(costs, asked.keep)
    PAGE.write_text(page(read_costs()), encoding="utf-8")
    print(f"written: {PAGE.relative_to(PAGE.parents[1])}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    add = parser.add_argument
    add("what", nargs="?", choices=["measure"], help="(default: compute)")
    add("database", nargs="?", type=Path, help="an SQLite file with rows of all kinds")
    add("--seconds", type=float, default=60.0, help="of each series (default: 60)")
    add("--per-second", type=float, default=5.0, help="moves and views (default: 5)")
    add("--postgres", default="", metavar="URL", help="a PostgreSQL to measure commits of, too")
    add("--keep", type=Path, default=KEPT, metavar="FILE", help="where the costs are kept")
    add("--quick", action="store_true", help="print costs of two seconds; nothing is kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
