"""The database is gone and comes back; no process is started again by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults.kills import asking
from faults.kills.household import household
from faults.kills.settling import require_balance
from faults.kills.traffic import ply_of
from processes.conftest import await_true, free_port

pytestmark = pytest.mark.slow


def _programs() -> Path | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    found = str(places[-1]) if places else shutil.which("pg_ctl")
    return Path(found).parent if found else None


class Cluster:
    """A cluster of PostgreSQL that a test may stop and start."""

    def __init__(self, programs: Path, folder: Path, port: int) -> None:
        self._programs, self._folder, self.port = programs, folder, port
        self._do("initdb", "-U", "sarsen", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")

    @property
    def url(self) -> str:
        return f"postgres://sarsen@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        places = f"-p {self.port} -c listen_addresses=127.0.0.1"
        options = f"{places} -c unix_socket_directories={self._folder}"
        self._do("pg_ctl", "-w", "-s", "-l", str(self._folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """Stop it as a cut of the power would: no session is told."""
        self._do("pg_ctl", "-m", "immediate", "-s", "stop")

    def _do(self, name: str, *words: str) -> None:
        # It refuses to run as root.
        as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        data = ["-D", str(self._folder / "data")]
        line = [*as_user, str(self._programs / name), *data, *words]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL, cwd=self._folder)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp())
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    made = Cluster(programs, folder, free_port())
    made.start()
    monkeypatch.setenv("DATABASE_URL", made.url)
    yield made
    made.stop()
    shutil.rmtree(folder, ignore_errors=True)


def test_f33_postgresql_that_is_gone_and_comes_back_loses_nothing_and_needs_nobody(
    tmp_path: Path, seed: int, cluster: Cluster, count: Callable[[str, object], None]
) -> None:
    rounds = 3
    with household(tmp_path / "data") as house:
        (board,) = house.make_world(seed, 30, ["druid,-size=6"])
        house.open()
        house.start("listener", "worker", "web")
        house.await_ports()
        mails, ply = [], 0
        for _ in range(rounds):
            ply += 1
            assert asking.mail(house, board, ply).status == 250
            mails.append(asking.name_of(board, ply))
            cluster.stop()
            answer = asking.mail(house, board, ply + 1)
            assert (answer.status, answer.words[:5]) == (451, "4.3.0")
            problem = asking.program(house, board, ply + 1)
            assert (problem.status, problem.wait) == (503, "10")
            shown = asking.ask(house, "GET", f"/boards/{board['board']}/")
            assert shown.status == 503
            assert "The server cannot reach its database" in shown.words
            assert asking.ask(house, "GET", "/health/").status == 503
            cluster.start()
            await_true(lambda ply=ply: _is_at(house, board, ply), "the worker does not come back")
            ply += 1
            await_true(
                lambda ply=ply: asking.program(house, board, ply).status == 200, "no web again"
            )
        assert sorted(house.running) == ["listener", "web", "worker"]
        for pid in house.running.values():
            assert Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z", "a process has ended"
        count("times the database was gone", rounds)
        require_balance(house, board, ply, mails)


def _is_at(house, board, ply: int) -> bool:  # type: ignore[no-untyped-def]
    return ply_of(house, board["board"]) == ply
