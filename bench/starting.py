"""How long commands take that a person waits for."""

from __future__ import annotations

import subprocess
import sys
import time

from bench.figures import Spread, spread


def show_seconds(runs: int) -> Spread:
    """Return the seconds of `sarsen show druid`, from the command to its end."""
    return spread([_seconds("show", "druid") for _ in range(runs)])


def _seconds(*words: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "sarsen", *words], check=True, capture_output=True)
    return time.perf_counter() - began
