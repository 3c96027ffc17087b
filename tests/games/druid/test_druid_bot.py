"""The bots of Druid: every level plays, and none overlooks what nobody would."""

from __future__ import annotations

import pytest

from sarsen.core.referee import replayed
from sarsen.games.druid.notation import Word
from sarsen.games.druid.rules import GAME, DruidPosition
from sarsen.search.bots import LEAST, MOST, load
from sarsen.search.thought import Budget

LEVELS = range(LEAST, MOST + 1)
FEW = Budget(nodes=300)


def reached(options: str, moves: str = "") -> DruidPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, DruidPosition)
    return position


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_a_legal_move(level: int) -> None:
    position = reached("-size=5", "a3 c3 b3")
    thought = load(level).think(position, seed=level, budget=FEW)
    assert thought.move in position.legal_moves()


@pytest.mark.parametrize("options", ["-size=3", "-size=12", "-size=9 -exact -swap", "-nogaps"])
def test_sites_of_all_sizes_are_played(options: str) -> None:
    position = reached(options)
    thought = load(MOST).think(position, seed=1, budget=FEW)
    assert thought.move in position.legal_moves()


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_win_in_one_is_taken_from_level_2(level: int) -> None:
    position = reached("-size=4", "b1 a4 b2 a3 b3 d1")
    thought = load(level).think(position, seed=3, budget=FEW)
    assert position.play(thought.move).outcome() is not None


@pytest.mark.parametrize("level", LEVELS[2:])
def test_a_win_in_one_is_stopped_from_level_3(level: int) -> None:
    position = reached("-size=4", "b1 a4 b2 a3 b3")
    thought = load(level).think(position, seed=3, budget=FEW)
    assert position.format(thought.move) == "b4"


def test_a_stone_on_its_own_edge_is_swapped() -> None:
    position = reached("-size=5 -swap", "c1")
    thought = load(MOST).think(position, seed=1, budget=Budget(nodes=2000))
    assert thought.move is Word.SWAP


def test_the_same_seed_and_nodes_give_the_same_thought() -> None:
    position = reached("-size=6", "a3 c3 b3 d4")
    one, other = (load(4).think(position, seed=9) for _ in range(2))
    assert (one.move, one.candidates) == (other.move, other.candidates)
