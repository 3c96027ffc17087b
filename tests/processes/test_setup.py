"""`make setup` finds packages where pip finds them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

WRAPPER = Path(__file__).parent.parent.parent / ".ci" / "uv.py"
INDEX = "https://ann:secret@packages.example/simple"
PIP_FILE = f"[global]\nindex-url = {INDEX}\nfind-links = /a\n  /b\n"


def seen_by_uv(home: Path, pip_file: str = "", **variables: str) -> dict[str, str]:
    """Return the environment that uv would be run in."""
    (home / "pip.conf").write_text(pip_file)
    env = shutil.which("env")
    assert env is not None
    done = subprocess.run(
        [sys.executable, str(WRAPPER)],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "PIP_CONFIG_FILE": str(home / "pip.conf"),
            "UV_PROGRAM": env,
            **variables,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    pairs = (line.partition("=") for line in done.stdout.splitlines())
    return {name: value for name, _, value in pairs}


def test_index_of_pips_file_is_passed_on(tmp_path: Path) -> None:
    seen = seen_by_uv(tmp_path, PIP_FILE)
    assert seen["UV_DEFAULT_INDEX"] == INDEX
    assert seen["UV_FIND_LINKS"] == "/a,/b"


def test_index_of_pips_variable_goes_before_its_file(tmp_path: Path) -> None:
    seen = seen_by_uv(tmp_path, PIP_FILE, PIP_INDEX_URL="https://other.example/simple")
    assert seen["UV_DEFAULT_INDEX"] == "https://other.example/simple"


@pytest.mark.parametrize("name", ["UV_DEFAULT_INDEX", "UV_INDEX_URL"])
def test_index_set_for_uv_is_left_alone(tmp_path: Path, name: str) -> None:
    seen = seen_by_uv(tmp_path, PIP_FILE, **{name: "https://own.example/simple"})
    assert seen[name] == "https://own.example/simple"
    assert INDEX not in seen.values()


def test_index_in_a_settings_file_of_uv_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".config" / "uv").mkdir(parents=True)
    (tmp_path / ".config" / "uv" / "uv.toml").write_text('[[index]]\nurl = "https://own.example"\n')
    assert INDEX not in seen_by_uv(tmp_path, PIP_FILE).values()
