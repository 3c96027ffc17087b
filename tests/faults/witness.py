"""Note for `breaking.py` how each test failed: a plugin of pytest, in the process of the tests.

An exit status does not tell a promise that was missed from a file that cannot be imported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

# Variables: the file to be written, and the exceptions of which one shows what was to be seen.
WHERE, ENOUGH = "WITNESS", "WITNESS_ENOUGH"
_seen: dict[str, Any] = {"passed": [], "failed": [], "unreadable": []}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Leave out the other cases of a test that has shown enough."""
    enough = os.environ.get(ENOUGH, "").split()
    test = item.nodeid.partition("[")[0]
    shown = (one for one in _seen["failed"] if one["test"].partition("[")[0] == test)
    return True if any(not set(one["kinds"]).isdisjoint(enough) for one in shown) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and call.excinfo is not None:
        said = str(call.excinfo.value).partition("\n")[0]
        kinds = sorted({type(one).__name__ for one in _members(call.excinfo.value)})
        _seen["failed"].append({"test": item.nodeid, "kinds": kinds, "said": said[:200]})
    elif report.passed and report.when == "call":
        _seen["passed"].append(item.nodeid)
    return report


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _seen["unreadable"].append(f"{report.nodeid}: {report.longreprtext[-200:]}")


def pytest_sessionfinish() -> None:
    import sarsen

    _seen["package"] = sarsen.__file__
    Path(os.environ[WHERE]).write_text(json.dumps(_seen), encoding="utf-8")


def _members(error: BaseException) -> Iterator[BaseException]:
    yield error
    for one in getattr(error, "exceptions", ()):
        yield from _members(one)
