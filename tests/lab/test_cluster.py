"""Matches on a Dask cluster: the same table as here, and what is refused."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from sarsen.core.errors import UserError
from sarsen.server.command import main

distributed = pytest.importorskip(
    "distributed", reason='Dask is not installed: pip install "/path/to/sarsen[cluster]"'
)
psutil = pytest.importorskip("psutil", reason="psutil comes with Dask")
NASTY = Path(__file__).with_name("nasty_engine.py")
COUNTED = ["2 of 8", "4 of 8", "6 of 8", "8 of 8"]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Start two worker processes, and return the address of their scheduler."""
    known = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**known) as cluster:
        yield cluster.scheduler_address


def sarsen(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.ci
def test_worker_killed_in_a_game_changes_nothing_in_the_table(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.lab.progress.EVERY", 0)

    def played(*words: str) -> tuple[str, str]:
        """Return the record of a match and what it printed, without the times."""
        record = tmp_path / "record"
        code, printed, told = sarsen(*match, "--record", str(record), *words)
        assert code == 0, told
        assert [line.split(" games")[0] for line in told.splitlines()] == COUNTED
        games = [line.partition(', "seconds"')[0] for line in record.read_text().splitlines()]
        return "\n".join(games), printed.partition(', "seconds_a_move"')[0]

    mark = tmp_path / "killed"
    engine = shlex.join([sys.executable, str(NASTY), "kills-once", "druid", str(mark)])
    match = ("match", "uct@nodes=60", f"killer={engine}", "--game", "druid", "-size=3")
    match += ("--games", "8", "--seed", "2", "--json")
    killed = played("--scheduler", scheduler)
    assert mark.exists()
    left = [one.pid for one in psutil.process_iter(["cmdline"]) if engine in _command(one)]
    assert not left
    assert killed == played()
    assert killed[0].count("\n") == 7
    assert '"faults": []' in killed[1]


def _command(process: psutil.Process) -> str:
    return shlex.join(process.info["cmdline"] or ())


@pytest.mark.ci
def test_ladder_is_climbed_on_the_cluster(scheduler: str) -> None:
    words = ("ladder", "druid", "-size=3", "--levels", "1,2", "--games", "4", "--json")
    code, printed, told = sarsen(*words, "--scheduler", scheduler)
    assert code == 0, told
    assert printed.partition('"matches"')[2] == sarsen(*words)[1].partition('"matches"')[2] != ""


@pytest.mark.parametrize(
    "address", ["nonsense", "foo://here:1", "here:99999", "tcp://here", "here:1; ls", " "]
)
def test_what_is_no_address_of_a_scheduler_is_refused(address: str) -> None:
    code, printed, told = sarsen(
        *("match", "random", "random", "--game", "druid", "--scheduler", address)
    )
    assert (code, printed) == (2, "")
    assert "[scheduler-address]" in told


def test_worker_with_another_version_is_refused() -> None:
    from sarsen.lab.cluster import Workplace
    from sarsen.lab.matches import Setup
    from sarsen.lab.players import read_entry

    chance = read_entry("random")
    workplace = Workplace(Setup("druid", "-size=3", chance, chance, pairs=1))
    workplace.version = "0.0.1"
    with pytest.raises(UserError) as refused:
        workplace.do(None)
    assert refused.value.code == "cluster-version"
    assert "/path/to/sarsen[bots,cluster]'   (a clone or a wheel of 0.0.1)" in refused.value.hint


def test_without_the_extra_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sarsen.lab.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ("match", "random", "random", "--game", "druid", "--scheduler", "tcp://here:1")
    code, _, told = sarsen(*words)
    assert code == 2
    assert "[no-cluster]" in told
    assert "pip install '/path/to/sarsen[cluster]'" in told
