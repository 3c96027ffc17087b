"""The limit of the disk: how often a second SQLite can say that a row is safe on it.

`python -m bench.disk [FOLDER] [RUNS] [SECONDS]` measures it for a folder's disk, as JSON.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from bench.figures import Spread, spread

ROW = b"x" * 200  # about the size of a move in the event log
IN_MEMORY = frozenset({"tmpfs", "ramfs"})


def durable_commits(folder: Path, runs: int, seconds: float) -> Spread:
    """Return the commits a second: WAL, synchronous FULL, one writer, one row a commit."""
    path = folder / "commits.sqlite3"
    try:
        return spread([_commits_per_second(path, seconds) for _ in range(runs)])
    finally:
        for left in folder.glob("commits.sqlite3*"):
            left.unlink()


def durable_commits_under(
    environment: dict[str, str], folder: Path, runs: int, seconds: float
) -> Spread:
    """Return the same of a process with this environment."""
    made = subprocess.run(
        [sys.executable, "-m", "bench.disk", str(folder), str(runs), str(seconds)],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return Spread(**json.loads(made.stdout))


def _commits_per_second(path: Path, seconds: float) -> float:
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, text BLOB)")
        commits, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            database.execute("INSERT INTO event (text) VALUES (?)", (ROW,))
            commits += 1
        return commits / passed
    finally:
        database.close()


def file_system(folder: Path) -> str:
    """Name the kind of file system a folder is on; empty where the system does not say."""
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    mounts = {Path(line.split()[1]): line.split()[2] for line in lines}
    here = folder.resolve()
    return next((mounts[place] for place in (here, *here.parents) if place in mounts), "")


def main() -> None:
    """Measure, and print the commits a second."""
    options = argparse.ArgumentParser(prog="python -m bench.disk")
    options.add_argument("folder", nargs="?", type=Path, default=Path(), help="on the disk")
    options.add_argument("runs", nargs="?", type=int, default=3)
    options.add_argument("seconds", nargs="?", type=float, default=1.0, help="of each run")
    asked = options.parse_args()
    print(json.dumps(asdict(durable_commits(asked.folder, asked.runs, asked.seconds))))


if __name__ == "__main__":
    main()
