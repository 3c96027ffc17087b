"""Faults on purpose: one seed for a run, and a table of what was counted at its end.

`SEED=5` repeats a run; without it the short forms draw alike each time, the long ones anew.
`--quick` runs one long form of each file, and lets it repeat what it does as little as it can.
`FIGURES=FILE` writes what was counted as JSON, from which docs/reliability.md is made.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from rich.markup import escape
from rich.table import Table

Figures = dict[str, dict[str, object]]
HERE = Path(__file__).parent
FOUND = pytest.StashKey[Figures]()
SEED = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FOUND] = {}
    is_long = config.getoption("--long") and not config.getoption("--quick")
    drawn = random.SystemRandom().randrange(1_000_000) if is_long else 6
    config.stash[SEED] = int(os.environ.get("SEED") or drawn)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but the last test of each file; what is not of this folder stays."""
    if not config.getoption("--quick"):
        return
    ours = [item for item in items if item.path.is_relative_to(HERE)]
    last = {item.path: item for item in ours}
    left_out = [item for item in ours if last[item.path] is not item]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    """Return the number from which everything random of this run is drawn."""
    return pytestconfig.stash[SEED]


@pytest.fixture
def count(
    pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> Callable[[str, object], None]:
    """Return a function that notes a figure of this test: what was counted, and how many."""
    found = pytestconfig.stash[FOUND].setdefault(request.node.name, {})

    def note(what: str, number: object) -> None:
        found[what] = number

    return note


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    outcome = yield
    report = outcome.get_result()
    found = item.config.stash.get(FOUND, {}).get(item.name)
    if report.when == "call" and found:
        # On the report, so that it comes back from a process of pytest-xdist as well.
        report.user_properties.append(("figures", found))
        report.user_properties.append(("seed", item.config.stash[SEED]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [
        (report.nodeid, dict(report.user_properties), report.outcome)
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        if any(name == "figures" for name, _ in report.user_properties)
    ]
    if not reports:
        return
    table = Table("fault", "outcome", "counted", "", "seed")
    for place, found, outcome in reports:
        words = place.rpartition("::")[2].removeprefix("test_").replace("_", " ")
        seed = str(found["seed"])
        for row, (what, number) in enumerate(found["figures"].items()):
            first = (words, outcome) if row == 0 else ("", "")
            table.add_row(*map(escape, first), what, str(number), seed if row == 0 else "")
    Console(file=terminalreporter._tw._file, width=120).print(table)
    where = os.environ.get("FIGURES")
    if where:
        written = [
            {"fault": place, "outcome": outcome, **found} for place, found, outcome in reports
        ]
        Path(where).write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
