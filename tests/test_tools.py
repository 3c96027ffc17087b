"""Every target and every module that can be run has a short form, which CI runs: `make tools`."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
CI = ROOT / ".ci"
LISTED = tomllib.loads((CI / "tools.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SOURCES = ("src", "tests", "bench", "simulation", "training", "examples", ".ci")
COMMITTING_TESTS = "tests/services/test_retries.py"
MAIN = re.compile(r'^if __name__ == "__main__":', re.MULTILINE)


def targets() -> set[str]:
    return {f"make {name}" for name in re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE)}


def modules() -> set[str]:
    """Return every file of ours that does something when it is run."""
    return {
        str(path.relative_to(ROOT))
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*.py")
        if path.name == "__main__.py" or MAIN.search(path.read_text(encoding="utf-8"))
    }


def named() -> set[str]:
    tools = LISTED["tool"]
    return {
        *(one["name"] for one in tools),
        *(name for one in tools for name in one.get("covers", ())),
        *LISTED["elsewhere"],
        *LISTED["by-hand"],
    }


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("ci_tools", CI / "tools.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "ci_tools", module)
    spec.loader.exec_module(module)
    return module


def test_every_target_and_every_module_with_a_main_has_a_short_form() -> None:
    assert len(targets()) > 20
    assert len(modules()) > 20
    assert sorted((targets() | modules()) - named()) == []


def test_what_is_listed_exists() -> None:
    gone = {name.partition(" -")[0] for name in named()} - targets() - modules()
    assert gone == {"sarsen puzzles", "sarsen report"}  # commands


def test_what_runs_something_else_does_so() -> None:
    """Each place is a target of `.ci/run`, a listed tool, or a test that names the module."""
    in_ci = (CI / "run").read_text(encoding="utf-8")
    wrong = []
    for name, places in LISTED["elsewhere"].items():
        for place in places.split(", "):
            if place == ".ci/run":
                is_run = re.search(
                    rf"^make .*\b{name.removeprefix('make ')}\b", in_ci, re.MULTILINE
                )
            elif place.startswith("tests/"):
                text = (ROOT / place).read_text(encoding="utf-8")
                is_run = re.search(rf"\b{Path(name).stem}\b", text)
            else:
                is_run = place in named()
            if not is_run:
                wrong.append(f"{name}: {place}")
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "more", "why"),
    [
        ("echo done", {"shows": ("done",)}, ""),
        ("exit 3", {}, "ended with status 3"),
        ("true", {"shows": ("a table",)}, "does not show 'a table'"),
        ("echo p50 nan", {}, "shows 'nan'"),
        ("echo 'Traceback (most recent call last):'", {}, "shows"),
        ("echo ready; sleep 600", {"until": "ready"}, ""),
        ("exit 0", {"until": "ready"}, "does not show 'ready'"),
        ("ls -A {folder} && echo {port}", {}, ""),
    ],
)
def test_a_tool_that_did_not_do_its_work_fails(
    tools: ModuleType, line: str, more: dict[str, object], why: str
) -> None:
    found = tools.run(tools.Tool("one", line, **more))
    assert found.why.startswith(why)
    assert bool(found.why) == bool(why), found.output


def test_a_tool_that_changes_a_tracked_file_is_found(
    tools: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for words in (
        "git init -q",
        "touch kept",
        "git add kept",
        "git -c user.name=a -c user.email=a@a commit -qm a",
    ):
        assert os.system(f"cd {tmp_path} && {words}") == 0
    monkeypatch.setattr(tools, "ROOT", tmp_path)
    writing = tools.Tool("writing", "echo more >> kept")
    monkeypatch.setattr(tools, "read", lambda: [writing])
    assert tools.main(["writing"]) == 1
    monkeypatch.setattr(tools, "read", lambda: [tools.Tool("reading", "cat kept")])
    assert tools.main(["reading"]) == 0


def test_tests_that_did_not_begin_in_time_are_named_and_fail_nothing() -> None:
    """Also those that delete their rows afterwards: there is no database of tests yet."""
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--until=1", COMMITTING_TESTS)
    ran = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "NOT RUN: the time of this run is over" in ran.stdout
    assert re.search(r"^\d+ skipped in", ran.stdout, re.MULTILINE), ran.stdout + ran.stderr
    assert ran.returncode == 0
