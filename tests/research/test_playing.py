"""`sarsen.load`: games from Python, as notebooks and programs use them."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import sarsen
from sarsen.core.errors import BadOption, IllegalMove, UnknownGame, UnreadableMove
from sarsen.games import names
from sarsen.lab.checking.loading import load_game
from sarsen.research.playing import ResearchGame

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"


def test_a_game_is_played_by_texts_of_moves() -> None:
    position = sarsen.load("Visavis").start("-size=5").play("e3", " D4 ", "B2")
    assert position.moves == ("E3", "D4", "B2")
    assert position.seat == 1
    assert position.outcome() is None
    assert "E2" in position.legal_moves()
    over = position.play("E2").outcome()
    assert over is not None
    assert (over.scores, over.winner) == ((0.0, 1.0), 1)


def test_options_are_a_text_or_named() -> None:
    game = sarsen.load("druid")
    assert game.start("-size=5 -swap") == game.start(size=5, swap=True)
    assert game.start(size=5).options["size"] == 5
    with pytest.raises(BadOption):
        game.start(size=99)


def test_what_cannot_be_is_refused_in_words() -> None:
    with pytest.raises(UnknownGame) as refusal:
        sarsen.load("chess")
    assert "druid" in refusal.value.text
    start = sarsen.load("druid").start("-size=4")
    with pytest.raises(UnreadableMove):
        start.play("?!")
    with pytest.raises(IllegalMove) as illegal:
        start.play("b2")
    assert illegal.value.hint


def test_a_position_never_changes_and_is_equal_to_its_like() -> None:
    start = sarsen.load("druid").start("-size=4")
    after = start.play("a1")
    assert start.moves == ()
    assert after == start.play("A1")
    assert hash(after) == hash(start.play("A1"))
    assert after != start
    assert copy.deepcopy(after) is after


@pytest.mark.parametrize("name", ["hex", "amazons", "breakthrough"])
def test_equal_positions_of_a_plug_in_have_one_place_in_a_set(name: str) -> None:
    start = ResearchGame(load_game(str(EXAMPLES / name))).start("-size=6")
    first, *_, last = start.legal_moves()
    after = start.play(first)
    assert len({start, after, start.play(first), start.play(last)}) == 3


@pytest.mark.parametrize("name", names())
def test_any_position_is_written_read_and_shown(name: str) -> None:
    game = sarsen.load(name)
    position = game.start()
    rng = random.Random(name)
    for _ in range(6):
        position = position.play(rng.choice(position.legal_moves()))
    assert game.read(position.write()) == position
    assert eval(repr(position), {"sarsen": sarsen}) == position
    assert str(position) == position.text() != ""
    assert position.describe()
    picture = position._repr_svg_()
    assert picture.count("<title>") == 1
    ElementTree.fromstring(picture)
    assert picture != position.svg(is_dark=True)
    assert position.png(80).startswith(b"\x89PNG")


def test_an_outcome_tells_scores_and_reason() -> None:
    position = sarsen.load("druid").start("-size=3").play("a1", "c1", "a2", "c2", "a3")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (1.0, 0.0)
    assert position.legal_moves() == ()
    assert outcome.reason == "V joined top and bottom."
    assert position.effects() == ("V joins top and bottom and wins.",)


def test_importing_sarsen_loads_no_game_and_loading_one_neither_numpy_nor_numba() -> None:
    program = (
        "import sys, sarsen\n"
        "assert not [name for name in sys.modules if name.startswith('sarsen.')]\n"
        "position = sarsen.load('druid').start('-size=4').play('a1')\n"
        "position.actions(), position.svg(), position.text()\n"
        "print([name for name in ('numpy', 'numba', 'django') if name in sys.modules])\n"
        "position.observation()\n"
        "print([name for name in ('numpy', 'numba', 'django') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n['numpy']\n", done.stderr
