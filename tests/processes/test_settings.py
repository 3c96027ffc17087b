"""Settings that cannot be right end the start in two lines, not in a traceback later."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import sarsen
from databases import copy_migrated_file
from processes.conftest import PATIENCE
from sarsen.core.errors import UserError
from sarsen.server import environment
from sarsen.server.secret_key import read_secret

SECRETS = "hunter2"
SOURCES = Path(sarsen.__file__).parent
PAGES = Path(__file__).parents[2] / "docs"
READERS: dict[str, Callable[[], object]] = {
    "SARSEN_SMTP_URL": lambda: environment.relay("SARSEN_SMTP_URL"),
    "DATABASE_URL": lambda: environment.database("DATABASE_URL", Path("data")),
    "SARSEN_URL": lambda: environment.web_address("SARSEN_URL", "http://127.0.0.1:8000"),
    "SARSEN_DOMAIN": lambda: environment.domain("SARSEN_DOMAIN", "sarsen.localhost"),
    "SARSEN_MAIL_PICTURES": lambda: environment.switch("SARSEN_MAIL_PICTURES", default=True),
    "SARSEN_THINKERS": lambda: environment.number("SARSEN_THINKERS", 1),
    "SARSEN_LOG_LEVEL": environment.log_level,
    "SARSEN_WORKERS": environment.workers,
}


def sarsen(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    kept.pop("DATABASE_URL", None)
    return subprocess.run(
        [sys.executable, "-m", "sarsen", *words],
        env=kept | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SARSEN_SMTP_URL", "foo"),
        ("SARSEN_SMTP_URL", f"smtp://ann:{SECRETS}@host:99999"),
        ("SARSEN_SMTP_URL", "http://host"),
        ("SARSEN_SMTP_URL", "smtp://"),
        ("DATABASE_URL", "foo"),
        ("DATABASE_URL", f"postgres://ann:{SECRETS}@host:99999/name"),
        ("DATABASE_URL", "postgres://host"),
        ("DATABASE_URL", "mysql://host/name"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("SARSEN_URL", "play.example.org"),
        ("SARSEN_URL", "https://play.example.org/?page"),
        ("SARSEN_DOMAIN", "ann@play.example.org"),
        ("SARSEN_MAIL_PICTURES", "maybe"),
        ("SARSEN_THINKERS", "many"),
        ("SARSEN_THINKERS", "-1"),
        ("SARSEN_LOG_LEVEL", "LOUD"),
        ("SARSEN_WORKERS", "0"),
        ("SARSEN_WORKERS", "65"),
        ("SARSEN_WORKERS", "4.5"),
        ("SARSEN_WORKERS", "9" * 5000),
    ],
)
def test_setting_that_cannot_be_right_is_refused_with_one_that_is(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UserError) as refusal:
        READERS[name]()
    assert refusal.value.text.startswith(f"{name} ")
    assert SECRETS not in refusal.value.text + refusal.value.hint
    same, _, works = refusal.value.hint.partition("=")
    assert same == name
    monkeypatch.setenv(name, works)
    READERS[name]()


def test_refused_setting_ends_the_server_in_two_lines(tmp_path: Path) -> None:
    done = sarsen("serve", SARSEN_DATA=str(tmp_path), SARSEN_SMTP_URL="foo")
    assert done.returncode == 2
    rule, hint = done.stderr.splitlines()
    assert rule.startswith("sarsen: SARSEN_SMTP_URL must start with")
    assert hint.strip() == "SARSEN_SMTP_URL=smtp://127.0.0.1:25"


def test_settings_that_are_gone_are_named_once_and_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SARSEN_PATIENCE", "never")
    monkeypatch.setenv("SARSEN_WEB_THREADS", "many")
    with capture_logs() as log:
        environment.warn_of_unread()
    (line,) = log
    assert {"SARSEN_PATIENCE", "SARSEN_WEB_THREADS"} <= set(line["settings"])


def test_settings_that_are_read_are_known_and_described() -> None:
    used = set()
    for file in SOURCES.rglob("*.py"):
        used |= set(re.findall(r"SARSEN_[A-Z_]+", file.read_text(encoding="utf-8")))
    assert used == set(environment.KNOWN)
    described = "".join(page.read_text(encoding="utf-8") for page in PAGES.glob("*.md"))
    undescribed = {name for name in used if name not in described}
    assert undescribed == {"SARSEN_RUN"}  # which `serve` gives its processes


def test_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    empty = dict.fromkeys(("DATABASE_URL", "SARSEN_SMTP_URL", "SARSEN_URL", "SARSEN_LOG_LEVEL"), "")
    copy_migrated_file(tmp_path / "sarsen.sqlite3")
    assert sarsen("operator", "list", SARSEN_DATA=str(tmp_path), **empty).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a#b?", "two words, 100%25", "file:x?mode=memory"])
def test_data_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    done = sarsen("migrate", SARSEN_DATA=str(tmp_path / name))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name / "sarsen.sqlite3").stat().st_size > 10_000
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert "making the database" in done.stderr
    again = sarsen("migrate", SARSEN_DATA=str(tmp_path / name))
    assert "making the database" not in again.stderr


@pytest.mark.slow
def test_sqlite_file_may_be_named(tmp_path: Path) -> None:
    done = sarsen("migrate", SARSEN_DATA=str(tmp_path), DATABASE_URL=f"sqlite:///{tmp_path}/a%23b")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a#b").exists()


def test_data_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = sarsen("migrate", SARSEN_DATA=str(tmp_path / "file" / "data"))
    assert done.returncode == 2
    assert "[data-folder]" in done.stderr


def test_database_that_is_away_is_said(tmp_path: Path) -> None:
    away = f"postgres://ann:{SECRETS}@127.0.0.1:1/name"
    done = sarsen("migrate", SARSEN_DATA=str(tmp_path), DATABASE_URL=away)
    assert done.returncode == 2
    assert "[database-away]" in done.stderr
    assert SECRETS not in done.stderr


def test_secret_key_is_made_once_and_only_this_user_reads_it(tmp_path: Path) -> None:
    key = read_secret(tmp_path / "data")
    assert len(key) == 64
    assert read_secret(tmp_path / "data") == key
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret.key"]
    assert stat.S_IMODE((tmp_path / "data" / "secret.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe"])
def test_secret_key_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret.key").write_bytes(content)
    with pytest.raises(UserError, match="contains no key"):
        read_secret(tmp_path)
    assert (tmp_path / "secret.key").read_bytes() == content
