"""docs/research.md: every session runs and prints what the page shows."""

from __future__ import annotations

import doctest
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import sarsen
from fences import fences
from packages import PYTEST, install, passed, run
from sarsen.core.coding import coding_of

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
TEXT = PAGE.read_text("utf-8")
GAMES = PAGE.parents[1] / "examples" / "games"
SESSIONS = [fence.text for fence in fences(TEXT) if fence.info == "pycon"]
NEEDS = {"pyspiel": "openspiel", "pettingzoo": "pettingzoo"}


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_session_prints_what_the_page_shows(session: str) -> None:
    for module, extra in NEEDS.items():
        if module in session:
            pytest.importorskip(
                module, reason=f'not installed: pip install "/path/to/sarsen[{extra}]"'
            )
    test = doctest.DocTestParser().get_doctest(session + "\n", {}, PAGE.name, str(PAGE), 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


def test_rows_of_the_data_are_played_as_the_page_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program,) = (fence.text for fence in fences(TEXT) if fence.info == "python")
    (tmp_path / "games-2026").mkdir()
    row = {"game": "druid", "options": "-size=3", "moves": ["a1", "c1"]}
    (tmp_path / "games-2026" / "druid.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["position"].moves == ("a1", "c1")


@pytest.mark.ci
def test_the_coding_of_the_page_for_hex_and_that_of_breakthrough_are_right(tmp_path: Path) -> None:
    (coding,) = (fence.text for fence in fences(TEXT) if fence.info == "py")
    shutil.copytree(GAMES / "hex", tmp_path / "hex")
    (tmp_path / "hex" / "sarsen_hex" / "coding.py").write_text(coding, encoding="utf-8")
    site, tests = tmp_path / "site", Path(__file__).parents[1]
    for folder in (tmp_path / "hex", GAMES / "breakthrough"):
        install(folder, site)
    files = [str(tests / "research" / "test_codings.py"), str(tests / "games" / "test_laws.py")]
    chosen = "(hex or breakthrough) and (test_codings or numbers or judged or marks)"
    assert passed(run(site, *PYTEST, *files, "-k", chosen)) >= 2 * (4 + 3)


@pytest.mark.parametrize("name", ["druid", "gyges", "vasco", "visavis"])
def test_the_page_says_how_many_numbers_each_game_has(name: str) -> None:
    actions = coding_of(sarsen.load(name).start().rules).actions
    assert f": {actions} |\n" in TEXT
