"""`sarsen doctor` looks and changes nothing, and neither do other commands in a wrong folder."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from databases import copy_migrated_file


def sarsen(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL"):
        kept.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "sarsen", *words],
        env=kept | {"SARSEN_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """A folder of a server that is not running."""
    data = tmp_path / "data"
    data.mkdir()
    copy_migrated_file(data / "sarsen.sqlite3")
    (data / "secret.key").write_text("k" * 64)
    (data / "secret.key").chmod(0o600)
    return data


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, id=words[0], marks=() if words == ["verify"] else pytest.mark.ci)
        for words in (
            ["doctor", "--no-names"],
            ["operator", "list"],
            ["export"],
            ["verify"],
            ["dataset", "written"],
        )
    ],
)
def test_command_in_a_folder_without_a_server_makes_nothing_there(
    tmp_path: Path, words: list[str]
) -> None:
    data = tmp_path / "new"
    told = sarsen(data, *words)
    assert told.returncode
    assert "There is no server data in" in told.stdout + told.stderr
    assert not data.exists()


def test_doctor_leaves_the_folder_of_a_server_as_it_was(served: Path) -> None:
    before = state(served)
    told = sarsen(served, "doctor", "--no-names", "--json")
    assert '"database", "state": "good"' in told.stdout
    assert '"durable", "state": "good"' in told.stdout
    assert state(served) == before
    assert sarsen(served, "doctor", "--no-names", "--strict").returncode == 1


def test_doctor_sees_what_a_running_server_has_not_moved_from_its_log(served: Path) -> None:
    with closing(sqlite3.connect(served / "sarsen.sqlite3")) as server:
        server.execute("PRAGMA journal_mode=WAL")
        server.execute("PRAGMA wal_autocheckpoint=0")
        server.execute(
            "INSERT INTO storage_inboundmail (identity, digest, envelope_sender, recipient, raw,"
            " body_digests, received_at, state, attempts, ends, note)"
            " VALUES ('1', '', '', '', '', '', datetime('now', '-2 hours'), 'failed', 0, 0, '')"
        )
        server.commit()
        before = {name: found for name, found in state(served).items() if "shm" not in name}
        told = sarsen(served, "doctor", "--no-names")
        assert "mails-set-aside" in told.stdout
        after = {name: found for name, found in state(served).items() if "shm" not in name}
        assert after == before


def test_strict_doctor_fails_on_what_is_worth_a_thought_alone(
    served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sarsen.server.commands import doctor
    from sarsen.server.doctor.configuration import failure, passed, warning

    del served
    monkeypatch.setattr("sarsen.server.setup.set_up_to_look", lambda: None)
    for found, plain, strict in (
        ([passed], 0, 0),
        ([passed, warning], 0, 1),
        ([warning, failure], 1, 1),
    ):
        findings = [one("code", "text") for one in found]
        monkeypatch.setattr(doctor, "_looks", lambda findings=findings, **_: [("A", findings)])
        for words, status in (([], plain), (["--strict"], strict)):
            with pytest.raises(SystemExit) as ended:
                doctor.doctor_command(words)
            assert ended.value.code == status
