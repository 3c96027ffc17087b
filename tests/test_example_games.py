"""The games of `examples/games/` are packages that obey the laws, and are short."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages import PYTEST, install, needs_node, passed, run

TESTS = Path(__file__).parent
GAMES = sorted((TESTS.parent / "examples" / "games").iterdir())
MOST_LINES = 120
NAMES = [folder.name for folder in GAMES]
ANY_OF_THEM = " or ".join(NAMES)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which all of them are installed."""
    site = tmp_path_factory.mktemp("site")
    for folder in GAMES:
        install(folder, site)
    return site


@pytest.mark.parametrize("folder", GAMES, ids=NAMES)
def test_game_takes_few_lines(folder: Path) -> None:
    files = list((folder / f"sarsen_{folder.name}").glob("*.py"))
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    assert 50 < len(lines) <= MOST_LINES


def test_games_obey_the_laws_of_every_game(installed: Path) -> None:
    laws = str(TESTS / "games" / "test_laws.py")
    assert passed(run(installed, *PYTEST, laws, "-k", ANY_OF_THEM)) >= 40 * len(GAMES)


def test_examples_of_their_help_pages_are_true(installed: Path) -> None:
    examples = str(TESTS / "games" / "test_help_examples.py")
    assert passed(run(installed, *PYTEST, examples, "-k", ANY_OF_THEM)) >= 5 * len(GAMES)


EVALUATED = """
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.search.general.functions import functions_of
game = load("breakthrough")
for moves in ("", "b2-b3 b5-b4", "b2-c3", "b2-c3 c5-d4 c3-d4"):
    print(functions_of(game).evaluate(replayed(game.start("-size=6"), moves.split())))
"""


def test_position_is_worth_nothing_when_even_and_less_with_men_lost(installed: Path) -> None:
    printed = run(installed, "-c", EVALUATED)
    assert printed.returncode == 0, printed.stderr
    start, mirrored, behind, robbed = map(float, printed.stdout.split())
    assert (start, mirrored) == (0, 0)
    assert robbed < behind < 0


@pytest.mark.ci
def test_games_are_played_by_mail_and_shown_on_pages(installed: Path) -> None:
    doors = str(TESTS / "plugin" / "examples_at_doors.py")
    assert passed(run(installed, *PYTEST, doors)) == 4


@needs_node
def test_engine_in_another_language_plays_a_match(installed: Path) -> None:
    engine = f"js=node {GAMES[0].parents[1] / 'hex_engine.js'}"
    words = (engine, "random", "--game", "hex", "-size=5", "--games", "10", "--json")
    played = json.loads(run(installed, "sarsen", "match", *words).stdout)
    assert played["faults"] == []
    assert played["results"] == [10, 0, 0]
