"""A game of rules alone is played well: Hex, against one who takes the shortest way."""

from __future__ import annotations

import heapq
import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sarsen.core.game import AnyPosition
from sarsen.search import bots, general_bot
from sarsen.search.thought import Budget

RULES = Path(__file__).parents[2] / "examples" / "games" / "hex" / "sarsen_hex" / "rules.py"
AROUND = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
UNREACHABLE = 1000

Player = Callable[[Any, random.Random], str]


@pytest.fixture(scope="module")
def hexagons() -> ModuleType:
    """Load the rules alone: a game without anything else."""
    spec = importlib.util.spec_from_file_location("sarsen_hex_rules", RULES)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def stones_missing(position: Any, side: int) -> int:
    """Count the stones that a side needs to join its edges if the other one passes (Dijkstra)."""
    size = position.size

    def cost(column: int, row: int) -> int:
        owner = position.stones.get(f"{chr(97 + column)}{row + 1}")
        return UNREACHABLE if owner == 1 - side else int(owner is None)

    edge = [(0, place) if side else (place, 0) for place in range(size)]
    heap = [(cost(*cell), cell) for cell in edge]
    heapq.heapify(heap)
    done: set[tuple[int, int]] = set()
    while heap:
        needed, cell = heapq.heappop(heap)
        if cell in done:
            continue
        done.add(cell)
        if cell[1 - side] == size - 1:
            return needed
        for right, down in AROUND:
            column, row = cell[0] + right, cell[1] + down
            if 0 <= column < size and 0 <= row < size:
                heapq.heappush(heap, (needed + cost(column, row), (column, row)))
    raise AssertionError("a board without a far edge")


def shortest_way(position: Any, chance: random.Random) -> str:
    """Play the move after which one's own way is the shortest compared with the other's."""
    side = position.side

    def lead(move: str) -> int:
        after = position.play(move)
        return stones_missing(after, 1 - side) - stones_missing(after, side)

    leads = {move: lead(move) for move in position.legal_moves()}
    most = max(leads.values())
    return str(chance.choice([move for move, found in leads.items() if found == most]))


def at_random(position: AnyPosition, chance: random.Random) -> str:
    return str(chance.choice(position.legal_moves()))


def level(number: int, nodes: int | None = None) -> Player:
    budget = None if nodes is None else Budget(nodes=nodes)

    def play(position: AnyPosition, chance: random.Random) -> str:
        seed = chance.getrandbits(30)
        return str(general_bot.think(position, number, seed=seed, budget=budget).move)

    return play


def winner(start: AnyPosition, players: tuple[Player, Player], seed: int) -> int | None:
    """Play a game and return the seat that has won."""
    position, chance = start, random.Random(seed)
    while (outcome := position.outcome()) is None:
        position = position.play(players[position.seat](position, chance))
    return outcome.winner


@pytest.mark.parametrize("seed", range(2))
def test_level_eight_beats_the_shortest_way_in_both_seats(hexagons: ModuleType, seed: int) -> None:
    start = hexagons.GAME.start("-size=7")
    assert winner(start, (level(8, 300), shortest_way), seed) == 0
    assert winner(start, (shortest_way, level(8, 300)), seed) == 1


def test_level_two_beats_chance_in_every_game(hexagons: ModuleType) -> None:
    start = hexagons.GAME.start("-size=5")
    for seed in range(5):
        assert winner(start, (level(2), at_random), seed) == 0
        assert winner(start, (at_random, level(2)), seed) == 1


def test_game_of_rules_alone_is_played_by_the_general_bot(hexagons: ModuleType) -> None:
    assert bots.module_name(hexagons.GAME) == "sarsen.search.general_bot"


def test_win_that_is_proved_is_played(hexagons: ModuleType) -> None:
    position = hexagons.GAME.start("-size=3")
    thought = general_bot.think(position, 8, seed=1, budget=Budget(nodes=5000))
    # The first player wins 3 x 3 Hex in the middle.
    assert thought.proved == 1.0
    while position.outcome() is None:
        if position.seat == 0:
            thought = general_bot.think(position, 8, seed=1, budget=Budget(nodes=5000))
            assert thought.proved == 1.0
            position = position.play(thought.move)
        else:
            position = position.play(shortest_way(position, random.Random(2)))
    assert position.outcome().winner == 0
