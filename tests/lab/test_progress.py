"""Progress of long work: what is written when, and where."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from click.testing import CliRunner

from sarsen.lab.progress import Progress, format_duration
from sarsen.server.command import main

LADDER = ("ladder", "druid", "-size=3", "--levels", "1,2", "--games", "4", "--json")


@dataclass
class Desk:
    """A clock that is set by hand, and the lines that were written."""

    now: float = 100.0
    lines: list[str] = field(default_factory=list)

    def progress(self, total: int, step: int = 1, every: float = 0.0) -> Progress:
        def write(done: int, line: str) -> None:
            self.lines.append(line)

        return Progress(total, "games", step, write, every, lambda: self.now)


def test_time_left_is_estimated_by_the_mean_so_far() -> None:
    desk = Desk()
    progress = desk.progress(20, step=2)
    for done, now in ((2, 160.0), (4, 180.0), (20, 190.0)):
        desk.now = now
        progress.show(done, "ahead")
    assert desk.lines == [
        "2 of 20 games, about 9 min left  ahead",
        "4 of 20 games, about 5 min left  ahead",
        "20 of 20 games  ahead",
    ]


def test_an_unknown_total_is_left_out() -> None:
    desk = Desk()
    desk.progress(0).show(3, "7 found")
    assert desk.lines == ["3 games  7 found"]


def test_games_of_an_earlier_run_do_not_make_the_estimate_shorter() -> None:
    desk = Desk()
    progress = desk.progress(100, step=2)
    desk.now += 30
    progress.show(92)
    assert desk.lines == ["92 of 100 games, about 2 min left"]


def test_lines_in_a_file_keep_their_distance() -> None:
    desk = Desk()
    progress = desk.progress(100, every=30.0)
    for done in range(1, 8):
        desk.now += 10
        progress.show(done)
    assert [line.split()[0] for line in desk.lines] == ["3", "6"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1 s"),
        (45.2, "45 s"),
        (59.6, "60 s"),
        (90, "2 min"),
        (3569, "59 min"),
        (3590, "1 h 0 min"),
        (12_000, "3 h 20 min"),
    ],
)
def test_durations_are_written_in_one_unit_or_two(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_progress_of_a_ladder_counts_all_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.lab.progress.EVERY", 0)
    result = CliRunner().invoke(main, [*LADDER[:4], "1-3", *LADDER[5:]])
    counted = [line.split(" games")[0] for line in result.stderr.splitlines()]
    assert counted == ["2 of 12", "4 of 12", "6 of 12", "8 of 12", "10 of 12", "12 of 12"]
    assert "bot2 against bot1: +" in result.stderr
    assert json.loads(result.stdout)["is_whole"] is True


@pytest.mark.ci
def test_line_on_a_terminal_is_rewritten_and_facts_are_alone() -> None:
    program = "import sys; from sarsen.server.command import main; main()"
    terminal, end = pty.openpty()
    words = [sys.executable, "-c", program, *LADDER]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=end, env=os.environ | {"TERM": "xterm"}
    ) as command:
        os.close(end)
        shown = b"".join(_read(terminal)).decode()
        assert command.stdout
        facts = json.loads(command.stdout.read())
    assert facts["is_whole"] is True
    assert "4 of 4 games" in shown
    assert "\x1b[2K" in shown  # the line is erased before it is written again
    os.close(terminal)


def _read(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            read = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            return
        yield read
