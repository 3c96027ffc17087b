"""A fifth game joins as a package of its own; no file of sarsen knows it.

`tests/plugin/` is such a package.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from packages import PYTEST, install, passed, run

PLUGIN = Path(__file__).with_name("plugin")
TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the package is installed."""
    folder = tmp_path_factory.mktemp("site")
    install(PLUGIN, folder)
    return folder


def test_plugin_is_shown_and_counted_in_a_terminal(installed: Path) -> None:
    shown = run(installed, "sarsen", "show", "nim", "-rows=2", "--moves", "b1")
    assert shown.stdout == "a  |\nb  | |\n\nSecond to move.\n"
    counted = run(installed, "sarsen", "perft", "nim", "-rows=2", "4")
    # a1 b1 b1 b1 in four orders: the only way to spend four plies on four sticks.
    assert counted.stdout == "4\n"


def test_refused_move_of_a_plugin_exits_2_and_names_the_rule(installed: Path) -> None:
    refused = run(installed, "sarsen", "show", "nim", "--moves", "a2")
    assert refused.returncode == 2
    assert "[nim.too-few-sticks]" in refused.stderr
    assert refused.stderr.splitlines()[-1].startswith("  sarsen show nim --moves ")


def test_plugin_stands_beside_the_games_of_this_repository(installed: Path) -> None:
    unknown = run(installed, "sarsen", "show", "chess")
    assert re.search(r"druid, .*\bnim\b", unknown.stderr)
    facts = json.loads(run(installed, "sarsen", "show", "nim", "--json").stdout)
    assert facts["options"] == {"rows": 3, "misere": False}


def test_plugin_obeys_all_laws_and_its_examples_numbers_and_planes_are_right(
    installed: Path,
) -> None:
    of_games = [str(TESTS / "games" / f"test_{name}.py") for name in ("laws", "help_examples")]
    codings = str(TESTS / "research" / "test_codings.py")
    # The laws without a game in their names draw from all games.
    chosen = ("-k", "nim or any_text or spoilt")
    assert passed(run(installed, *PYTEST, *of_games, codings, *chosen)) >= 40 + 5 + 4


@pytest.mark.ci
def test_plugin_is_played_by_mail(installed: Path) -> None:
    match = str(PLUGIN / "nim_by_mail.py")
    assert passed(run(installed, *PYTEST, match)) == 3


THINK = """
import sarsen
from sarsen.games import load
from sarsen.search import bots, warming
game = load("nim")
for options in ("-rows=3", "-rows=4", "-rows=3 -misere"):
    position = game.start(options)
    thought = bots.load(8).think(position)
    print(position.format(thought.move), thought.proved)
print(bots.load_module(game).__name__, *warming.game_parts(game))
kernel = bots.load_module(game).kernel
print(len(kernel.play.nopython_signatures))
print(sarsen.load("nim").start().observation()[0].sum())
"""


def test_plugin_brings_a_compiled_bot_and_a_coding_without_registering_them(
    installed: Path,
) -> None:
    thought = run(installed, "-c", THINK)
    lines = thought.stdout.splitlines()
    assert thought.returncode == 0, thought.stderr
    # By Bouton's theorem of 1901: 1, 3, 5 is won by leaving 1, 3, 2, with both endings;
    # 1, 3, 5, 7 is lost.
    assert (lines[0], lines[2]) == ("c3 1.0", "c3 1.0")
    assert lines[1].endswith(" 0.0")
    assert lines[3] == "sarsen_nim.bot sarsen_nim.bot sarsen.search.tactics sarsen.search.alphabeta"
    assert lines[4:] == ["1", "9.0"]


def test_no_file_of_sarsen_knows_the_plugin() -> None:
    sources = (TESTS.parent / "src").rglob("*.py")
    naming = [path for path in sources if re.search(r"\bnim\b", path.read_text(encoding="utf-8"))]
    assert naming == []
