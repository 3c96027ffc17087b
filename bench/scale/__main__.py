"""`python -m bench.scale [measure LOAD.json DATABASE]`: compute docs/scale.md, from new costs."""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

from bench.scale.costs import measured, read_costs, write_costs
from bench.scale.page import page

PAGE = Path(__file__).parents[2] / "docs/scale.md"


def main() -> None:
    """Keep costs, or compute the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("what", nargs="?", choices=["measure"], help="(default: compute)")
    parser.add_argument("load", nargs="?", type=Path, help="written by `bench.load --json`")
    parser.add_argument(
        "database", nargs="?", type=Path, help="an SQLite file with rows of all kinds"
    )
    asked = parser.parse_args()
    if asked.what:
        if asked.database is None:
            parser.error("measure LOAD.json DATABASE")
        machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
        write_costs(measured(asked.load, asked.database, machine))
    PAGE.write_text(page(read_costs()), encoding="utf-8")
    print(f"written: {PAGE.relative_to(PAGE.parents[1])}")


if __name__ == "__main__":
    main()
