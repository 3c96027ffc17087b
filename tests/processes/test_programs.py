"""Programs that play through a real server: whole games, kills, and slow thoughts."""

from __future__ import annotations

import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from constants_for_tests import with_constants
from processes.conftest import (
    PATIENCE,
    Server,
    await_true,
    children_of,
    one_line,
    running_server,
    words_of,
)
from processes.test_whole_games import MAX_PLIES, pick
from sarsen.games import load

pytestmark = pytest.mark.ci

NIM = Path(__file__).parents[1] / "plugin" / "sarsen_nim"
ANN = "ann@ann.example"
# Nim with four rows makes the process that thinks wait as long as the file `slow` is there,
# and those of its threads that think as long as `deaf` is.
SLOW_NIM = """
import os, sys, threading, time
from pathlib import Path
from sarsen_nim import GAME, view
from sarsen_nim.rules import NimPosition

FOLDER = Path(os.environ["SLOW_NIM"])
legal_moves = NimPosition.legal_moves

def wait_and_give_moves(self):
    if "think" in sys.argv and self.terms.number("rows") == 4:
        (FOLDER / f"began-{os.getpid()}").touch()
        is_thinking = threading.current_thread() is not threading.main_thread()
        while (FOLDER / "slow").exists() or (is_thinking and (FOLDER / "deaf").exists()):
            time.sleep(0.02)
    return legal_moves(self)

NimPosition.legal_moves = wait_and_give_moves
"""


@pytest.fixture(scope="module")
def with_programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server with programs to tests that leave each other alone."""
    data = tmp_path_factory.mktemp("programs") / "data"
    yield from running_server(data, {"SARSEN_BOTS": "on"})


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """Return the folder whose file `slow` lets thoughts about Nim last."""
    folder = tmp_path / "slow"
    folder.mkdir()
    return folder


@pytest.fixture
def slow_server(tmp_path: Path, slow: Path) -> Iterator[Server]:
    yield from running_slowly(tmp_path, slow)


@pytest.fixture
def impatient_server(tmp_path: Path, slow: Path) -> Iterator[Server]:
    """Yield a server on which a thought is given up two seconds after it began."""
    work = "sarsen.workers.thinking.work"
    constants = {f"{work}.MOVE_SECONDS": 1, f"{work}.GRACE_SECONDS": 1}
    yield from running_slowly(tmp_path, slow, constants)


@pytest.fixture
def hasty_server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server whose thinker ends as soon as nothing is due."""
    constants = {f"sarsen.workers.thinking.thinker.{name}": 0 for name in ("IDLE_LIMIT", "POLL")}
    more = with_constants(constants) | {"SARSEN_BOTS": "on"}
    yield from running_server(tmp_path / "data", more)


@pytest.fixture
def new_server(tmp_path: Path, slow: Path) -> Iterator[Server]:
    """Yield a server that has compiled nothing yet."""
    yield from running_slowly(tmp_path, slow, NUMBA_CACHE_DIR=str(tmp_path / "compiled"))


def running_slowly(
    tmp_path: Path, slow: Path, constants: Mapping[str, object] | None = None, **settings: str
) -> Iterator[Server]:
    site = tmp_path / "site"
    shutil.copytree(NIM, site / "sarsen_nim")
    (site / "slow_nim.py").write_text(SLOW_NIM)
    info = site / "slow_nim-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-nim\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[sarsen.games]\nnim = slow_nim\n")
    more = with_constants(constants or {}, site)
    more |= {"SARSEN_BOTS": "on", "SLOW_NIM": str(slow), **settings}
    yield from running_server(tmp_path / "data", more)


def facts(server: Server, code: str) -> str:
    """Ask the server's database."""
    ask = f"from sarsen.server.setup import set_up\nset_up()\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", ask], env=server.environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def played(server: Server) -> list[str]:
    code = "from sarsen.storage.models import MatchEvent\n"
    code += "print(*MatchEvent.objects.order_by('match', 'number').values_list('text', flat=True))"
    return facts(server, code).split()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("visavis", "-size=5"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (("druid", "-size=3"), ("gyges", ""), ("vasco", "-size=12"))
        ),
    ],
)
def test_whole_game_against_a_program_by_mail(
    with_programs: Server, name: str, options: str
) -> None:
    server, rng = with_programs, random.Random(name)
    person = f"{name}-ann"
    address = f"{person}@{person}.example"
    server.answer(server.join(person), f"{name} challenge {options} me bot1")
    letter = server.next_letter(address)
    told = one_line(letter)
    assert "the game has started" in told
    position = load(name).start(options)
    for _ in range(MAX_PLIES):
        if position.seat == 0:
            text = pick(position, rng)
            server.answer(letter, text)
            letter = server.next_letter(address)
            told = one_line(letter)
            assert f"You played {text}" in told
        else:
            # The letter that confirms the move tells of the answer, where that came in time.
            if "bot1 played " not in told:
                letter = server.next_letter(address)
                told = one_line(letter)
            text = told.partition("bot1 played ")[2].split(". ")[0]
        position = position.play(position.parse(text))
        if position.outcome() is not None:
            break
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.reason in told


def test_killed_while_it_thinks_the_program_moves_after_the_restart_and_once(
    slow_server: Server, slow: Path
) -> None:
    server = slow_server
    server.answer(server.join("ann"), "nim challenge -rows=4 me bot8")
    (slow / "slow").touch()
    server.answer(server.next_letter(ANN), "d7")
    assert "You played d7" in one_line(server.next_letter(ANN))
    for number in range(1, 4):
        await_true(lambda number=number: len(list(slow.glob("began-*"))) == number, "no thought")
        for process in server.children("think"):
            os.kill(process, signal.SIGKILL)
    (slow / "slow").unlink()
    assert "bot8 played " in one_line(server.next_letter(ANN))
    assert len(played(server)) == 2


@pytest.mark.slow
def test_thought_that_never_ends_is_given_up_for_any_move_and_the_process_starts_anew(
    impatient_server: Server, slow: Path
) -> None:
    server = impatient_server
    server.answer(server.join("ann"), "nim challenge -rows=4 me bot8")
    letter = server.next_letter(ANN)
    (slow / "deaf").touch()
    server.answer(letter, "d7")
    thinker = thinker_of(server)
    server.next_letter_telling(ANN, "bot8 played ")
    assert len(list(slow.glob("began-*"))) == 1
    await_true(lambda: server.children("think") not in ([], [thinker]), "it was not started anew")
    assert len(played(server)) == 2


@pytest.mark.slow
def test_process_ends_all_the_same_where_not_even_any_move_can_be_found(
    impatient_server: Server, slow: Path
) -> None:
    server = impatient_server
    server.answer(server.join("ann"), "nim challenge -rows=4 me bot8")
    (slow / "slow").touch()
    server.answer(server.next_letter(ANN), "d7")
    server.next_letter(ANN)
    await_true(lambda: len(list(slow.glob("began-*"))) == 2, "the game holds its process for ever")
    (slow / "slow").unlink()
    assert "bot8 played " in one_line(server.next_letter(ANN))
    assert len(played(server)) == 2


@pytest.mark.slow
def test_quick_program_answers_while_a_deep_one_thinks(slow_server: Server, slow: Path) -> None:
    server = slow_server
    server.answer(server.join("ann"), "nim challenge -rows=4 me bot8")
    (slow / "slow").touch()
    server.answer(server.next_letter(ANN), "d7")
    server.next_letter(ANN)
    await_true(lambda: list(slow.glob("began-*")), "no thought")
    server.send(ANN, "", subject="nim challenge ann secret-ann me bot1")
    server.answer(server.next_letter(ANN), "c5")
    server.next_letter_telling(ANN, "bot1 played ")
    (slow / "slow").unlink()
    assert "bot8 played " in one_line(server.next_letter(ANN))


@pytest.mark.slow
def test_process_that_thinks_ends_with_its_supervisor(slow_server: Server, slow: Path) -> None:
    server = slow_server
    server.answer(server.join("ann"), "nim challenge -rows=4 bot8 me")
    (slow / "slow").touch()
    thinker = thinker_of(server)
    assert server.process is not None
    server.process.kill()
    server.process.wait(PATIENCE)
    await_true(lambda: not words_of(thinker)[:-1], "it outlived its supervisor")


def test_two_processes_that_think_play_every_move_once(with_programs: Server) -> None:
    server = with_programs
    other = subprocess.Popen([sys.executable, "-m", "sarsen", "think"], env=server.environment)
    try:
        server.answer(server.join("zoe"), "visavis challenge -size=9 bot1 bot1")
        server.next_letter("zoe@zoe.example")
        code = "from sarsen.storage.models import Match\n"
        code += "print(Match.objects.filter(bots=[1, 1], ended_at=None).exists())"
        await_true(lambda: facts(server, code) == "False", "the game did not end")
        code = "from sarsen.storage.models import Match\n"
        code += "m = Match.objects.get(bots=[1, 1])\n"
        code += "print(m.ply == m.events.filter(kind='move').count() == m.event_count)"
        assert facts(server, code) == "True"
    finally:
        other.terminate()
        assert other.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "words",
    [
        "do list",
        *(
            pytest.param(words, marks=pytest.mark.slow)
            for words in ("--help", "do help", "show druid -size=4")
        ),
    ],
)
def test_commands_that_end_at_once_load_no_numba(with_programs: Server, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "sarsen", *words.split()],
        env=with_programs.environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "sarsen" in loaded
    assert not loaded & {"numba", "numpy", "llvmlite"}


def test_only_the_process_that_thinks_loads_numba(with_programs: Server) -> None:
    server = with_programs
    assert server.process is not None
    # Levels from 5 on wait for the compiled search; the lower ones may move without it.
    server.answer(server.join("liz"), "visavis challenge -size=5 bot5 me")
    await_true(lambda: _has_compiler(thinker_of(server)), "no search was loaded")
    everybody = {word: server.children(word) for word in ("listen", "work", "web")}
    (web,) = everybody["web"]
    everybody["web"] += [int(pid) for pid in _children(web)]
    for word, processes in everybody.items():
        assert processes, word
        for process in processes:
            assert not _has_compiler(process), word
    assert not _has_compiler(server.process.pid)


def test_thinker_is_there_only_while_there_is_something_to_think_about(
    hasty_server: Server,
) -> None:
    server = hasty_server
    await_true(lambda: not server.children("think"), "it stays although nothing is to be done")
    server.join("ann")
    for _ in range(2):
        server.send(ANN, "", subject="visavis challenge ann secret-ann bot1 me")
        server.next_letter_telling(ANN, "bot1 played ")
        await_true(lambda: not server.children("think"), "it stays when it has moved")


def _children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


def _has_compiler(process: int) -> bool:
    return "llvmlite" in Path(f"/proc/{process}/maps").read_text()


def test_terminal_shows_the_programs_answer_to_the_player_there(with_programs: Server) -> None:
    server = with_programs
    server.join("tim")
    person = {"SARSEN_USERID": "tim", "SARSEN_PASSWORD": "secret-tim"}
    master, slave = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "sarsen", "do", "druid challenge -size=3 bot1 me"],
        env=server.environment | person,
        stdin=subprocess.DEVNULL,
        stdout=slave,
        timeout=PATIENCE,
    )
    os.close(slave)
    shown = os.read(master, 100_000).decode()
    os.close(master)
    assert done.returncode == 0
    assert "the game has started" in shown
    assert shown.count("H tim") == 2
    assert shown.rstrip().splitlines()[-2].strip() == "tim to move."


def test_first_start_lets_weak_levels_move_at_once_and_strong_ones_when_compiled(
    new_server: Server,
) -> None:
    server = new_server
    # A game of another package: what it needs is compiled in seconds, and first.
    server.answer(server.join("ann"), "nim challenge -rows=3 bot6 me")
    assert "bot6 is starting up" in one_line(server.next_letter(ANN))
    assert "bot6 is starting up" in fetched(server, "boards/1/")
    assert json.loads(fetched(server, "api/v1/boards/1"))["warming_up"] is True
    await_true(lambda: compilers(server), "nothing is compiled")
    told = ""
    for game in ("druid", "gyges", "vasco", "visavis"):
        server.send(ANN, "", subject=f"{game} challenge ann secret-ann bot3 me")
        while f"{game.title()} Board" not in told or "bot3 played" not in told:
            told += one_line(server.next_letter(ANN))
        assert game in warming(server)
        assert "bot3 is starting up" not in told
    limit = 600.0  # where other tests want the processor, too
    await_true(lambda: "nim" not in warming(server), "never compiled", limit)
    while "bot6 played" not in told:
        told += one_line(server.next_letter(ANN))


def fetched(server: Server, path: str) -> str:
    """Return a page of a server."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.http}/{path}") as response:
        text: str = response.read().decode()
    return text


def thinker_of(server: Server) -> int:
    """Wait for the process that thinks, and return its id."""
    await_true(lambda: server.children("think"), "nobody thinks")
    (thinker,) = server.children("think")
    return thinker


def compilers(server: Server) -> list[int]:
    """Return the processes that compile for the thinker."""
    children = children_of(thinker_of(server))
    return [child for child in children if "sarsen.search" in words_of(child)]


def warming(server: Server) -> list[str]:
    """Return the games that are not ready."""
    found: list[str] = json.loads((server.data / "warming.json").read_text())["warming"]
    return found
