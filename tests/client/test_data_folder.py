"""The server, its commands and its client find the same data folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from databases import copy_migrated_file
from sarsen.client import data_folder as module
from sarsen.client import logins
from sarsen.client.data_folder import data_folder, user_folder


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(module.sys, "platform", "linux")


def test_a_named_folder_goes_before_one_of_an_earlier_start_and_this_before_the_user_s(
    tmp_path: Path,
) -> None:
    own = tmp_path / ".local/share/sarsen"
    Path("data").mkdir()
    assert data_folder({}) == data_folder({"SARSEN_DATA": ""}) == own
    (Path("data") / "secret.key").write_text("k")
    assert data_folder({}) == Path("data")
    assert data_folder({"SARSEN_DATA": "named"}) == Path("named")


def test_the_folder_of_a_user_is_where_the_system_keeps_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert user_folder({"XDG_DATA_HOME": "/srv/share"}) == Path("/srv/share/sarsen")
    assert user_folder({"XDG_DATA_HOME": "share"}) == tmp_path / ".local/share/sarsen"
    monkeypatch.setattr(module.sys, "platform", "darwin")
    assert user_folder({}) == tmp_path / "Library/Application Support/sarsen"


def test_the_client_finds_the_server_of_this_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(logins, "_is_answering", asked.append)
    folder = tmp_path / ".local/share/sarsen"
    folder.mkdir(parents=True)
    (folder / logins.ADDRESS_FILE).write_text("http://127.0.0.1:1234")
    logins.local_server({})
    assert asked == ["http://127.0.0.1:1234", logins.USUAL_ADDRESS]


@pytest.mark.ci
def test_commands_without_a_folder_use_that_of_this_user(tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/sarsen"
    folder.mkdir(parents=True)
    copy_migrated_file(folder / "sarsen.sqlite3")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SARSEN")}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "XDG_DATA_HOME"):
        kept.pop(name, None)
    words = [sys.executable, "-m", "sarsen", "backup", str(tmp_path)]
    done = subprocess.run(words, env=kept, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert list(tmp_path.glob("sarsen-*.tar.gz"))
    assert not list(Path().iterdir())
