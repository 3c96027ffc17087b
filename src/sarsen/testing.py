"""For the tests of a game's author: `check_game` is `sarsen check` within a test."""

from __future__ import annotations

from pathlib import Path

from sarsen.lab.checking.bounded import check
from sarsen.lab.checking.report import CheckReport, CheckRequest

__all__ = ["CheckReport", "check_game"]


def check_game(source: str | Path, seconds: float = 10.0, seed: int = 1) -> CheckReport:
    """Check a game, and fail with what is wrong with it.

    Args:
        source: The name of an installed game, or the folder of a package with a pyproject.toml.
        seconds: How long random games are played; `sarsen check` takes a minute.

    Raises:
        AssertionError: It has faults; each is named with a command that shows it.
    """
    report = check(CheckRequest(str(source), seconds, seed))
    faults = [f"{one.code}: {one.text}\n    {one.line}".rstrip() for one in report.errors]
    assert not faults, "\n".join([f"{report.title} has faults:", *faults])
    return report
