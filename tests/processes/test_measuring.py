"""Programs are measured at a plug-in game: once, in a process that may be killed anywhere."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from constants_for_tests import with_constants
from databases import copy_migrated_file
from packages import install
from processes.conftest import PATIENCE, Server, await_true, children_of, running_server, words_of

pytestmark = pytest.mark.ci

NIM = Path(__file__).parents[1] / "plugin"
PLACE = "sarsen.server.commands.measure"
NICENESS = 5  # so that a busy machine lets it get on
QUICK = {
    f"{PLACE}.START_AFTER": 0,
    f"{PLACE}.PAIRS": 2,
    f"{PLACE}.HIGH_PAIRS": 1,
    f"{PLACE}.NICENESS": NICENESS,
}
GAMES = 7 * 4 + 6 * 2
# Added to the rules of Nim: where the file `slow` is, they let the programs wait once three
# pairs are played.
WAITING = """
import os, sys, time
from pathlib import Path
from sarsen_nim.rules import NimPosition

FOLDER = Path(os.environ["NIM_FOLDER"])
legal_moves = NimPosition.legal_moves

def wait_and_give_moves(self):
    while "measure" in sys.argv and (FOLDER / "slow").exists() and pairs_kept() >= 3:
        (FOLDER / "waits").touch()
        time.sleep(0.02)
    return legal_moves(self)

def pairs_kept():
    return sum(path.read_text().count("\\n") for path in FOLDER.glob("data/measuring/*.jsonl"))

NimPosition.legal_moves = wait_and_give_moves
"""
BROKEN = """
import os
from sarsen_nim.rules import NimPosition

def loop(self):
    while True:
        pass

NimPosition.legal_moves = {broken}
"""


def site_with_nim(folder: Path, more: str = "") -> Path:
    """Install Nim without its kernel and its bot, so that the programs of any game play it."""
    site = folder / "site"
    site.mkdir()
    install(NIM, site)
    package = site / "sarsen_nim"
    for name in ("kernel.py", "bot.py"):
        (package / name).unlink()
    if more:
        (package / "more.py").write_text(more, encoding="ascii")
        with (package / "__init__.py").open("a", encoding="utf-8") as module:
            module.write("\nfrom sarsen_nim import more as more\n")
    return site


def settings_for(folder: Path, site: Path, constants: Mapping[str, object]) -> dict[str, str]:
    return with_constants(QUICK | dict(constants), site) | {
        "SARSEN_BOTS": "on",
        "SARSEN_LOG_LEVEL": "INFO",
        "NIM_FOLDER": str(folder),
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a server's data, in which no server runs."""
    (tmp_path / "data").mkdir()
    copy_migrated_file(tmp_path / "data" / "sarsen.sqlite3")
    return tmp_path


def environment(folder: Path, site: Path, **constants: object) -> dict[str, str]:
    named = {f"{PLACE}.{name}": value for name, value in constants.items()}
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    kept.pop("DATABASE_URL", None)
    data = {"SARSEN_DATA": str(folder / "data")}
    return kept | data | settings_for(folder, site, named)


def start(environment: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sarsen", "measure"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )


def measure(environment: Mapping[str, str]) -> tuple[int, list[dict[str, Any]]]:
    """Run the command to its end; return its exit status and what it logged."""
    done = start(environment)
    _, told = done.communicate(timeout=PATIENCE)
    return done.returncode, [json.loads(line) for line in told.splitlines() if line[:1] == "{"]


def row(folder: Path) -> dict[str, Any]:
    """Return what is stored of Nim."""
    with closing(sqlite3.connect(folder / "data" / "sarsen.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        found = database.execute("SELECT * FROM storage_measurement WHERE game = 'nim'")
        return dict(found.fetchone())


def test_programs_are_measured_once_for_each_version_of_the_package(folder: Path) -> None:
    site = site_with_nim(folder)
    there = environment(folder, site)
    status, _ = measure(there)
    first = row(folder)
    assert status == 0
    assert (first["state"], first["version"]) == ("done", "1-1.0")
    assert (first["played"], first["games"]) == (GAMES, GAMES)
    ratings = json.loads(first["ratings"])
    assert len(ratings) == 8
    assert fmean(ratings) == pytest.approx(1525, abs=0.1)
    assert not list((folder / "data" / "measuring").glob("*.jsonl"))
    assert measure(there) == (0, [])
    (info,) = site.glob("*.dist-info/METADATA")
    info.write_text(info.read_text().replace("Version: 1.0", "Version: 1.1"))
    status, told = measure(there)
    assert [one["event"] for one in told] == [
        "bots are being rated",
        "bots are rated",
    ]
    assert row(folder)["version"] == "1-1.1"


@pytest.mark.parametrize(
    ("number", "most_ends"),
    [(signal.SIGKILL, 2), (signal.SIGTERM, 1)],  # the second is no fault of the game
    ids=["killed", "stopped"],
)
def test_measuring_goes_on_behind_the_games_that_were_played(
    folder: Path, number: signal.Signals, most_ends: int
) -> None:
    there = environment(folder, site_with_nim(folder, WAITING), MAX_ENDS=most_ends)
    (folder / "slow").touch()
    process = start(there)
    await_true((folder / "waits").exists, "no game was played")
    process.send_signal(number)
    process.communicate()
    assert process.returncode == -number
    assert row(folder)["played"] == 6
    (folder / "slow").unlink()
    status, told = measure(there)
    assert (status, told[0].get("played")) == (0, 6)
    assert row(folder)["state"] == "done"


@pytest.mark.parametrize(
    ("broken", "status"),
    [("lambda self: 1 / 0", 1), ("lambda self: os._exit(7)", 7), ("loop", -signal.SIGPROF)],
    ids=["raises", "exits", "loops"],
)
def test_game_that_ends_the_process_again_and_again_is_given_up(
    folder: Path, broken: str, status: int
) -> None:
    site = site_with_nim(folder, BROKEN.format(broken=broken))
    there = environment(folder, site, MAX_SECONDS=1, MAX_ENDS=2)
    for _ in range(2):
        assert measure(there)[0] == status
    ended, told = measure(there)
    assert ended == 0
    assert [(one["event"], one["game"]) for one in told] == [
        ("bots cannot be rated at a game", "nim")
    ]
    assert row(folder)["state"] == "given up"
    assert measure(there) == (0, [])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server whose programs are measured at Nim as soon as it is ready."""
    site = site_with_nim(tmp_path, WAITING)
    yield from running_server(tmp_path / "data", settings_for(tmp_path, site, {}))


def page(server: Server) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.http}/games/nim/") as answer:
        return str(answer.read().decode())


def test_server_measures_at_a_low_priority_and_shows_the_ratings(server: Server) -> None:
    folder = server.data.parent
    (folder / "slow").touch()
    await_true((folder / "waits").exists, "no game was played")
    (process,) = server.children("measure")
    priority = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process) == min(19, priority + NICENESS)
    assert f"they have played 6 of {GAMES} games against each other" in " ".join(
        page(server).split()
    )
    (folder / "slow").unlink()
    await_true(lambda: not server.children("measure"), "it did not end")
    shown = page(server)
    assert "being measured" not in shown
    rows = re.findall(r'bot[1-8]</a>.*?<td class="count">\d{3,4}</td>', shown, re.DOTALL)
    assert len(rows) == 8


def test_measuring_ends_with_the_server_however_that_ends(server: Server) -> None:
    folder = server.data.parent
    (folder / "slow").touch()
    await_true((folder / "waits").exists, "no game was played")
    (process,) = server.children("measure")
    assert server.process is not None
    server.process.kill()
    server.process.wait(PATIENCE)
    await_true(lambda: not words_of(process)[:-1], "it outlived its supervisor")


@pytest.fixture
def quiet_server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server that is told to measure nothing."""
    told = settings_for(tmp_path, site_with_nim(tmp_path), {})
    yield from running_server(tmp_path / "data", told, "--no-measure")


def test_server_measures_nothing_when_it_is_told_so(quiet_server: Server) -> None:
    server = quiet_server
    await_true(lambda: server.children("think"), "no thinker was started")
    assert server.process is not None
    # Listener, worker, web and thinker, which would have been started after it.
    assert len(children_of(server.process.pid)) == 4
