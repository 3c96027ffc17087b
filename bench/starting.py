"""`python -m bench.starting [--runs 5]`: how long commands take that a person waits for."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from bench.figures import Spread, spread

# A command that ends at once, a server's start with all compiled: seconds on a quiet machine.
LIMITS = {"sarsen --help": 0.15, "used folder": 2.5}


def command_seconds(runs: int) -> dict[str, Spread]:
    """Return the seconds of commands, from the command to its end."""
    return {
        f"sarsen {' '.join(words)}": spread([_seconds(*words) for _ in range(runs)])
        for words in (("--help",), ("show", "druid"))
    }


def _seconds(*words: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "sarsen", *words], check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    """Measure, and print a line a command."""
    options = argparse.ArgumentParser(prog="python -m bench.starting", description=__doc__)
    options.add_argument("--runs", type=int, default=5, help="of each command")
    for command, found in command_seconds(options.parse_args().runs).items():
        limit = f", limit {LIMITS[command]:g}" if command in LIMITS else ""
        print(f"{command}: {found.median:.2f} s ({found.low:.2f}-{found.high:.2f}{limit})")


if __name__ == "__main__":
    main()
