"""Run a month with a relay of its own, and audit it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from django.test import override_settings
from structlog.testing import capture_logs

from sarsen.services.clocks import turns
from simulation.audit import audit
from simulation.month import Month
from simulation.people import people


def run_month(
    players: int, days: int, seed: int, folder: Path, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Play and check; give `figures` and `faults`, which should be empty."""
    random = Random(seed)
    notes = folder / "letters.jsonl"
    with (
        _relaying(notes) as port,
        override_settings(SARSEN_SMTP_URL=f"smtp://127.0.0.1:{port}"),
        # The month looks at the clocks once an hour.
        patch.object(turns, "AWAY_AFTER", timedelta(minutes=90)),
    ):
        month = Month(people(players, random), random, notes)
        with capture_logs() as log:
            month.run(days, progress)
    defects = [entry for entry in log if entry["log_level"] in ("error", "critical")]
    return audit(month, defects)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


@contextmanager
def _relaying(notes: Path) -> Iterator[int]:
    port = _free_port()
    notes.touch()
    process = subprocess.Popen(  # noqa: S603 (our own module)
        [sys.executable, "-m", "simulation.relay", str(port), str(notes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"ready\n"
        yield port
    finally:
        process.stdin.close()
        process.wait(timeout=10)
