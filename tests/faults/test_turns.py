"""Fault 13: several processes write at once, and none of them waits for long.

Long form: SECONDS, 60 by default.
"""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import OperationalError

from sarsen.storage.sqlite3.base import DatabaseWrapper, TooLate, Turns

WRITERS = 4
LEAST_SHARE = 0.5  # of what each would have if all had the same
# In a second beside other tests, when the system runs some processes less than others. With
# Django's own engine one of four writers had 0.0 there in five runs of five.
LEAST_OF_A_SECOND = 0.2
MAX_WAIT = 1000  # milliseconds, on an idle machine
# A writer is not run when it is due, and those whose turns it waits for are not, either.
MAX_DELAYS = WRITERS
OURS = "sarsen.storage.sqlite3"
SHORT = 1_000  # commits of all together
ENDLESS = 10**9
MAX_SECONDS = 60.0  # for the commits of the short form


def wrote(
    folder: Path, most: int, seconds: float, engine: str = OURS
) -> tuple[list[int], list[int], int]:
    """Let processes write side by side.

    Returns:
        The commits of each, its longest wait, and for how long the system did not run a process
        that only slept: in milliseconds.
    """
    database = folder / "turns.sqlite3"
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE count (id INTEGER PRIMARY KEY, commits INTEGER)")
    connection.executemany("INSERT INTO count VALUES (?, 0)", [(row,) for row in range(WRITERS)])
    script = Path(__file__).with_name("writing.py")
    words = [sys.executable, script, engine, database, WRITERS, most, seconds]
    said = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    told = sorted([int(word) for word in line.split()] for line in said.stdout.splitlines())
    (_, _, delay), *told = told
    stored = [count for (count,) in connection.execute("SELECT commits FROM count ORDER BY id")]
    connection.close()
    assert stored == [commits for _, commits, _ in told]  # nothing lost, nothing twice
    return stored, [longest for _, _, longest in told], delay


def shares(commits: list[int]) -> list[float]:
    return [count * len(commits) / sum(commits) for count in commits]


def test_f13_no_writer_is_shut_out(tmp_path: Path) -> None:
    commits, _, _ = wrote(tmp_path, SHORT, MAX_SECONDS)
    assert min(shares(commits)) >= LEAST_OF_A_SECOND, commits


@pytest.mark.slow
def test_f13_nobody_waits_for_longer_than_a_second(
    tmp_path: Path, amount: Callable[[str, int, int], int]
) -> None:
    commits, waits, delay = wrote(tmp_path, ENDLESS, amount("SECONDS", 60, 5))
    assert min(shares(commits)) >= LEAST_SHARE, commits
    assert max(waits) <= MAX_WAIT + MAX_DELAYS * delay, (waits, delay)


@pytest.fixture
def turns(tmp_path: Path) -> Iterator[Turns]:
    """Yield the place of a writer."""
    writer = Turns(tmp_path / "turns.sqlite3")
    yield writer
    writer.close()


def test_turn_that_does_not_come_is_refused_in_time(tmp_path: Path, turns: Turns) -> None:
    turns.take(0)
    late = Turns(tmp_path / "turns.sqlite3")
    with pytest.raises(TooLate):
        late.take(0)
    turns.give_back()
    late.take(0)
    late.close()


def test_killed_writer_loses_its_turn(tmp_path: Path, turns: Turns) -> None:
    holding = (
        "import sys, time; from pathlib import Path;"
        "from sarsen.storage.sqlite3.base import Turns;"
        "turns = Turns(Path(sys.argv[1])); turns.take(0);"
        "print('taken', flush=True); time.sleep(600)"
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", holding, str(tmp_path / "turns.sqlite3")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "taken\n"
    with pytest.raises(TooLate):
        turns.take(0)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    turns.take(0)


def test_folder_that_is_gone_is_a_database_that_is_away(tmp_path: Path) -> None:
    gone = DatabaseWrapper({"NAME": str(tmp_path / "gone" / "turns.sqlite3"), "OPTIONS": {}})
    with pytest.raises(OperationalError, match="unable to open"), gone.wrap_database_errors:
        gone.take_turn()
    assert not gone.has_turn
