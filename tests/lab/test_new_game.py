"""`sarsen new-game` writes a package that is a game at once, and nothing over what exists."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from packages import PYTEST, install, passed, run
from sarsen.server.command import main

TESTS = Path(__file__).parents[1]


def new_game(*words: str) -> Result:
    return CliRunner().invoke(main, ["new-game", *words])


def contents(folder: Path) -> dict[str, str]:
    """Return what a package consists of, by the paths of its files."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.ci
def test_new_game_obeys_all_laws_and_passes_its_own_tests(tmp_path: Path) -> None:
    folder, site = tmp_path / "written", tmp_path / "site"
    assert new_game("drystone", "--folder", str(folder)).exit_code == 0
    install(folder, site)
    laws, examples = TESTS / "games" / "test_laws.py", TESTS / "games" / "test_help_examples.py"
    own = folder / "tests" / "test_drystone.py"
    tested = run(site, *PYTEST, str(laws), str(examples), str(own), "-k", "drystone")
    assert passed(tested) >= 50


def test_new_game_bears_its_name_everywhere_and_says_what_comes_next(tmp_path: Path) -> None:
    told = new_game("drystone", "--folder", str(tmp_path / "written"))
    written = contents(tmp_path / "written")
    assert list(written) == [
        "pyproject.toml",
        "sarsen_drystone/__init__.py",
        "sarsen_drystone/help.md",
        "sarsen_drystone/rules.py",
        "sarsen_drystone/view.py",
        "tests/test_drystone.py",
    ]
    assert [path for path, text in written.items() if "tryout" in text.lower()] == []
    assert "sarsen play drystone\n" in told.output


def test_new_game_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept", encoding="utf-8")
    refused = new_game("drystone", "--folder", str(tmp_path))
    assert (refused.exit_code, "[folder-exists]" in refused.output) == (2, True)
    assert contents(tmp_path) == {"kept": "kept"}


@pytest.mark.parametrize(
    ("name", "code", "better"),
    [
        ("Dry-Stone", "no-game-name", "drystone"),
        ("x", "no-game-name", "mygame"),
        ("trockensteinmauerwerk", "no-game-name", "trockensteinmauerwer"),
        ("druid", "game-exists", "mydruid"),
        ("list", "name-is-command", "mylist"),
    ],
)
def test_name_that_is_none_for_a_game_is_refused_with_one_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: str, better: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = new_game(name)
    assert (refused.exit_code, f"[{code}]" in refused.output) == (2, True)
    assert refused.output.endswith(f"sarsen new-game {better}\n")
    assert list(tmp_path.iterdir()) == []
    assert new_game(better).exit_code == 0
