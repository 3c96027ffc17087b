"""Bots of Vasco: what each level must see."""

from __future__ import annotations

import random

import pytest

from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.search import bots
from sarsen.search.thought import Budget, Stop

LEVELS = range(bots.LEAST, bots.MOST + 1)


def positions(size: int, count: int) -> list[VascoPosition]:
    """Return positions of random games in which the seat to move can close a loop of its own."""
    found: list[VascoPosition] = []
    seed = 0
    while len(found) < count:
        chance = random.Random(seed)
        seed += 1
        position = GAME.start({"size": size})
        while position.outcome() is None:
            if wins(position):
                found.append(position)
                break
            position = position.play(chance.choice(position.legal_moves()))
    return found


def wins(position: VascoPosition) -> list[object]:
    return [
        move
        for move in position.legal_moves()
        if (outcome := position.play(move).outcome()) and outcome.winner == position.seat
    ]


@pytest.mark.parametrize("level", LEVELS[1:])
def test_no_level_but_the_first_misses_a_loop_that_one_placement_closes(level: int) -> None:
    for position in positions(20, 3):
        thought = bots.load(level).think(position, seed=level)
        assert thought.move in wins(position)


@pytest.mark.parametrize("level", LEVELS[2:])
def test_no_level_from_the_third_on_allows_a_loop_when_it_can_be_helped(level: int) -> None:
    for seed in range(3):
        chance = random.Random(seed)
        position = GAME.start({"size": 16})
        while not any(wins(position.play(move)) for move in position.legal_moves()):
            position = position.play(chance.choice(position.legal_moves()))
        if wins(position) or all(wins(position.play(move)) for move in position.legal_moves()):
            continue
        thought = bots.load(level).think(position, seed=seed, budget=Budget(nodes=200))
        after = position.play(thought.move)
        assert after.outcome() is not None or not wins(after)


def test_same_seed_and_nodes_give_the_same_thought() -> None:
    position = GAME.start({"size": 20})
    for move in ("a1", "a3"):
        position = position.play(position.parse(move))
    for level in (1, 4, 8):
        first, second = (
            bots.load(level).think(position, seed=7, budget=Budget(nodes=300)) for _ in range(2)
        )
        assert (first.move, first.score, first.line) == (second.move, second.score, second.line)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [6, 9, 600])
def test_every_level_plays_pools_of_any_size(level: int, size: int) -> None:
    position = GAME.start({"size": size})
    for ply in range(3):
        if position.outcome() is None:
            thought = bots.load(level).think(position, seed=ply, budget=Budget(nodes=40))
            assert thought.move in position.legal_moves()
            position = position.play(thought.move)


def test_highest_level_proves_the_end_of_a_small_pool() -> None:
    position = GAME.start({"size": 9})
    position = position.play(position.parse("e1"))
    thought = bots.load(8).think(position, seed=0, budget=Budget(nodes=20_000))
    assert thought.proved == 1.0
    for move in thought.line:
        position = position.play(move)
    assert position.outcome() is not None
    assert position.outcome().winner == 1  # type: ignore[union-attr]


def test_a_side_asked_for_its_answer_does_not_give_up() -> None:
    stop = Stop()
    stop.set()
    thought = bots.load(bots.MOST).think(GAME.start({"size": 20}), seed=1, stop=stop)
    assert thought.score == 0.5
