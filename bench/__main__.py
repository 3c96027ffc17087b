"""`python -m bench [--quick] [--search] [--json FILE]`: measure, and print what was found."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console

from bench.plan import FULL, QUICK, Plan
from bench.report import machine, print_machine, print_report, write_json
from bench.running import SEARCH_STEPS, Results, SearchResults, run, run_search, steps
from bench.search_report import print_search
from bench.steps import shown_steps


def main() -> None:
    """Measure everything once."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="the shortest form: shows that all works"
    )
    parser.add_argument("--search", action="store_true", help="only kernels, and what thinks")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    asked = parser.parse_args()
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
    with shown_steps(SEARCH_STEPS if only_search else steps(plan)) as step:
        return run_search(plan, step) if only_search else run(plan, step)


if __name__ == "__main__":
    main()
