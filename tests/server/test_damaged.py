"""The commands that look after a database say what is wrong with a damaged one, in words."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from databases import copy_migrated_file
from processes.conftest import free_port

NOTHING = b"no database at all, and long enough to be read as one " * 200


def sarsen(*words: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run a command on a folder; what it says stands in both outputs together."""
    names = ("DJANGO_SETTINGS_MODULE", "DATABASE_URL")
    kept = {name: one for name, one in os.environ.items() if name not in names}
    kept = {name: one for name, one in kept.items() if not name.startswith("SARSEN_")}
    kept |= {"SARSEN_DATA": str(data), "SARSEN_BOTS": "off"}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "sarsen", *words],
        env=kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=120,
    )


def address() -> str:
    return f"127.0.0.1:{free_port()}"


@pytest.mark.ci
@pytest.mark.parametrize("command", ["verify", "doctor", "operator", "serve"])
def test_a_file_that_is_no_database_is_said_in_two_lines(tmp_path: Path, command: str) -> None:
    (tmp_path / "sarsen.sqlite3").write_bytes(NOTHING)
    more = {
        "operator": ["list"],
        "serve": [f"--{port}={address()}" for port in ("http", "smtp", "lmtp")],
    }
    found = sarsen(command, *more.get(command, []), data=tmp_path)
    assert found.returncode == (1 if command == "doctor" else 2), found.stdout
    assert "file is not a database" in found.stdout
    assert "[database-damaged]" in found.stdout
    assert "sarsen restore BACKUP" in found.stdout
    assert "Traceback" not in found.stdout


def test_verify_reads_a_damaged_file_as_far_as_it_can(tmp_path: Path) -> None:
    file = tmp_path / "sarsen.sqlite3"
    copy_migrated_file(file)
    store = sqlite3.connect(file)
    (size,) = store.execute("PRAGMA page_size").fetchone()
    (page,) = store.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'storage_match'"
    ).fetchone()
    store.close()
    with file.open("r+b") as disk:
        disk.seek((page - 1) * size)
        disk.write(b"\xff" * size)
    found = sarsen("verify", data=tmp_path)
    assert found.returncode == 1, found.stdout
    for what in ("tables", "boards"):
        said = f"the file, reading {what}: stored database disk image is malformed"
        assert said in found.stdout
    assert "Traceback" not in found.stdout
