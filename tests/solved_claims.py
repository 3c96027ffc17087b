"""Run the checkers of solved claims as a player runs them, and read the claims."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import sarsen

MAX_LINES = 200
Command = list[str]


def folder_of(game: str) -> Path:
    return Path(sarsen.__file__).parent / "games" / game / "solved"


def claims_of(game: str) -> list[dict[str, Any]]:
    text = (folder_of(game) / "claims.toml").read_text(encoding="utf-8")
    claims: list[dict[str, Any]] = tomllib.loads(text)["claim"]
    return claims


def runs_of(game: str) -> list[dict[str, Any]]:
    return [run for claim in claims_of(game) for run in claim["run"]]


def checker_module(game: str) -> ModuleType:
    """Import the checker in Python, to ask single functions of it."""
    path = folder_of(game) / f"check_{game}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_python(game: str, folder: Path, old: str = "", new: str = "") -> Command:
    """Return the command that runs the checker in Python, with something replaced in it."""
    copy = folder / f"check_{game}.py"
    copy.write_text(changed(folder_of(game) / copy.name, old, new), encoding="utf-8")
    return [sys.executable, "-I", str(copy)]


def in_c(game: str, folder: Path, old: str = "", new: str = "") -> Iterator[Command]:
    """Yield the command that runs the checker in C; none where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        print("The checker in C is not run: no program cc is here.")
        return
    copy, program = folder / f"check_{game}.c", folder / f"check_{game}"
    copy.write_text(changed(folder_of(game) / copy.name, old, new), encoding="utf-8")
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, "-O2", *strict, "-o", program, copy], check=True)
    yield [str(program)]


def changed(path: Path, old: str, new: str) -> str:
    text = path.read_text(encoding="utf-8")
    assert not old or text.count(old) == 1, old
    return text.replace(old, new) if old else text


def run(command: Command, *words: str) -> tuple[int, list[str]]:
    """Return the exit status and the lines that a checker prints; it never prints elsewhere."""
    done = subprocess.run([*command, *words], capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def assert_well_formed(game: str) -> None:
    """Check what is promised of every solved folder."""
    folder = folder_of(game)
    assert len({claim["id"] for claim in claims_of(game)}) == len(claims_of(game))
    for claim in claims_of(game):
        words = ("id", "title", "says", "proven", "found", "checked", "open", "picture")
        assert all(claim[word] for word in words)
    for run in runs_of(game):
        assert run["command"].startswith(f"python check_{game}.py")
        if "certificate" in run:
            assert run["command"].endswith(run["certificate"])
            assert (folder / run["certificate"]).stat().st_size <= 5_000_000
    for ending in ("py", "c"):
        text = (folder / f"check_{game}.{ending}").read_text(encoding="utf-8")
        assert text.count("\n") <= MAX_LINES
        assert "import sarsen" not in text
        assert "from sarsen" not in text
