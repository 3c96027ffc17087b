"""How much memory a server takes: idle, in play, and when it compiles its searches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from constants_for_tests import with_constants
from processes.conftest import Server, await_true, children_of, one_line, running_server

# Proportional: a page that processes share counts once. In MiB; see docs/operating.md. In play
# 340 were seen, and 300 where others on the machine had Numba's libraries loaded, too.
IDLE, IN_PLAY, IN_ALL = 200, 400, 476
ANN = "ann@ann.example"
COMPILING_SECONDS = 900.0  # where other tests want the processor, too; a limit, never a wait

pytestmark = [
    pytest.mark.ci,
    pytest.mark.usefixtures("memory_of_operators"),
    pytest.mark.skipif(
        not Path("/proc/self/smaps_rollup").exists(), reason="the system tells no shared memory"
    ),
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server whose thinker ends when a board has waited for nothing for a moment."""
    constants = {"sarsen.workers.thinking.thinker.IDLE_LIMIT": 5}
    yield from running_server(tmp_path / "data", with_constants(constants) | {"SARSEN_BOTS": "on"})


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server that has compiled nothing yet."""
    more = {"SARSEN_BOTS": "on", "NUMBA_CACHE_DIR": str(tmp_path / "compiled")}
    yield from running_server(tmp_path / "data", more)


def memory_of(server: Server) -> float:
    """Return the proportional memory of a server, in MiB."""
    assert server.process is not None
    return sum(map(proportional, family(server.process.pid))) / 1024


def family(process: int) -> list[int]:
    return [process, *(one for child in children_of(process) for one in family(child))]


def proportional(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:  # it has just ended
        return 0
    return int(re.findall(r"^Pss:\s+(\d+)", text, re.MULTILINE)[0])


def is_without_thinker(server: Server) -> bool:
    return not server.children("think")


def test_idle_server_and_one_that_plays_keep_within_their_limits(server: Server) -> None:
    letter = server.join("ann")
    await_true(lambda: is_without_thinker(server), "the thinker stays", COMPILING_SECONDS)
    idle = memory_of(server)
    server.answer(letter, "druid challenge -size=5 bot7 me")
    most = 0.0

    def has_moved() -> bool:
        nonlocal most
        most = max(most, memory_of(server))
        return any("bot7 played " in one_line(one) for one in server.relay.letters(ANN))

    await_true(has_moved, "bot7 does not move")
    assert idle < IDLE
    assert idle < most < IN_PLAY
    await_true(lambda: is_without_thinker(server), "the thinker stays after the game")
    assert memory_of(server) < IDLE


@pytest.mark.slow
def test_first_compilation_fits_into_half_a_gigabyte(new_server: Server) -> None:
    most = 0.0

    def is_compiled() -> bool:
        nonlocal most
        most = max(most, memory_of(new_server))
        noted = json.loads((new_server.data / "warming.json").read_text())
        assert noted["missing"] == []
        return noted["warming"] == [] and is_without_thinker(new_server)

    await_true(is_compiled, "never compiled", COMPILING_SECONDS)
    assert IDLE < most < IN_ALL
