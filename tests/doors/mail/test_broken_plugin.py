"""A game whose package cannot be loaded is refused with the reason, file and line, at all doors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.test import Client

from doors.mail.conftest import PostOffice, text_of
from sarsen import games
from sarsen.core.errors import UserError
from sarsen.lab.checking.loading import load_game
from sarsen.server.command import main

# What stands in `rules.py`, and what is said of it.
FAULTS = {
    "GAME = 1\nimport nothing_there\n": "No module named 'nothing_there' (rules.py:2).",
    "GAME = 1\n\nif GAME\n    pass\n": "SyntaxError: expected ':' (rules.py:3).",
    "def first():\n    return 1 / 0\n\nGAME = first()\n": "division by zero (rules.py:2).",
    "from sarsen.core.options import Number\nGAME = Number()\n": "TypeError: ",
}
BROKEN = "The game broken cannot be loaded: "


def clear() -> None:
    for cached in (games._modules, games.names):
        cached.cache_clear()
    games._refusals.clear()


@pytest.fixture
def broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """Install a package of which the rules fail."""
    package = tmp_path / "sarsen_broken"
    package.mkdir()
    (package / "__init__.py").write_text("from sarsen_broken.rules import GAME\n", "utf-8")
    rules = getattr(request, "param", next(iter(FAULTS)))
    (package / "rules.py").write_text(rules, encoding="utf-8")
    entry = EntryPoint("broken", "sarsen_broken", games.GROUP)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(games, "entry_points", lambda group: [entry])
    clear()
    yield package
    clear()
    for name in [name for name in sys.modules if name.startswith("sarsen_broken")]:
        del sys.modules[name]


@pytest.mark.parametrize("broken", FAULTS, indirect=True)
def test_the_reason_names_file_and_line(broken: Path) -> None:
    with pytest.raises(UserError) as refused:
        games.load("broken")
    said = FAULTS[(broken / "rules.py").read_text("utf-8")]
    assert refused.value.text.startswith(BROKEN)
    assert said in refused.value.text
    assert "(rules.py:" in refused.value.text
    assert refused.value.code == "game-not-loaded"
    assert "broken" not in games.names()


def test_every_door_says_so(broken: Path, post: PostOffice, client: Client) -> None:
    said = f"{BROKEN}ModuleNotFoundError: {FAULTS[(broken / 'rules.py').read_text('utf-8')]}"
    reason = said.removeprefix(BROKEN)
    ann = post.join("ann")
    for line in ("broken challenge ann anyone", "help broken", "broken standings"):
        post.answer(ann, line)
        words = " ".join(text_of(post.last("ann@ann.example")).split())
        assert reason in words, line
        assert "[game-not-loaded]" in words
    page = client.get("/games/broken/")
    assert "(rules.py:2)" in page.content.decode()
    reply: Any = client.get("/api/v1/games/broken")
    assert (reply.status_code, reply.json()["code"]) == (503, "game-not-loaded")
    assert reply.json()["detail"] == said
    for typed in (("show", "broken"), ("play", "broken"), ("perft", "broken")):
        ran = CliRunner().invoke(main, typed)
        assert said in " ".join((ran.stderr + str(ran.exception)).split()), typed


def test_a_folder_that_is_checked_says_so(broken: Path) -> None:
    project = '[project.entry-points."sarsen.games"]\nbroken = "sarsen_broken"\n'
    (broken.parent / "pyproject.toml").write_text(project, "utf-8")
    with pytest.raises(UserError, match=r"cannot be loaded: .*\(rules\.py:2\)\."):
        load_game(str(broken.parent))


def test_a_game_of_this_repository_takes_the_place_of_a_broken_package_of_its_name(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = EntryPoint("druid", "sarsen_broken", games.GROUP)
    monkeypatch.setattr(games, "entry_points", lambda group: [entry])
    clear()
    assert games.load("druid").info.name == "druid"
    assert "druid" in games.known_names()
