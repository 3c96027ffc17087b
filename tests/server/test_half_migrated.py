"""A database that an upgrade has left half done, and keys too short, are said in words."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from databases import copy_migrated_file


def migrate(data: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `sarsen migrate` on a folder; what it says stands in both outputs together."""
    kept = {name: one for name, one in os.environ.items() if not name.startswith("SARSEN_")}
    kept = {name: one for name, one in kept.items() if name not in ("DATABASE_URL",)}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "sarsen", "migrate"],
        env=kept | {"SARSEN_DATA": str(data), "SARSEN_BOTS": "off"} | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


@pytest.mark.ci
def test_a_half_migrated_database_says_what_to_do_and_a_short_key_only_warns_there(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    refused = migrate(data, SARSEN_SECRET_KEY="k" * 31)
    assert refused.returncode == 2
    assert "[secret-short]" in refused.stdout
    data.mkdir(exist_ok=True)
    copy_migrated_file(data / "sarsen.sqlite3")
    assert migrate(data, SARSEN_SECRET_KEY="k" * 32).returncode == 0
    old = migrate(data, SARSEN_SECRET_KEY="short")
    assert old.returncode == 0
    assert "SARSEN_SECRET_KEY is too short" in old.stdout
    # The tables of a migration are there, and the note that it was applied is missing.
    with sqlite3.connect(data / "sarsen.sqlite3") as database:
        database.execute("DELETE FROM django_migrations WHERE app = 'storage' AND name >= '0006'")
    half = migrate(data, SARSEN_SECRET_KEY="k" * 32)
    assert half.returncode == 2
    assert "[half-migrated]" in half.stdout
    assert "0006_trust" in half.stdout
    assert "sarsen restore" in half.stdout
    assert "Traceback" not in half.stdout


@pytest.mark.ci
def test_a_missing_column_is_no_database_that_is_away(tmp_path: Path) -> None:
    copy_migrated_file(tmp_path / "sarsen.sqlite3")
    with sqlite3.connect(tmp_path / "sarsen.sqlite3") as database:
        database.execute("ALTER TABLE storage_match RENAME COLUMN game TO gone")
    lacking = migrate(tmp_path, SARSEN_SECRET_KEY="k" * 32)
    assert lacking.returncode == 2, lacking.stdout
    assert "[half-migrated]" in lacking.stdout
    assert "no such column" in lacking.stdout
    assert "sarsen restore" in lacking.stdout
    assert "DATABASE_URL" not in lacking.stdout
