"""A game of rules alone is played well: Hex, against one who takes the shortest way."""

from __future__ import annotations

import heapq
import importlib
import importlib.util
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from packages import load_rules
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.search import bots, plain_bots
from sarsen.search.general import bot as general_bot
from sarsen.search.general import minimax, trees
from sarsen.search.general.functions import MINIMAX, OwnFunctions, functions_of
from sarsen.search.general.nodes import SearchLimit, WeighedMove
from sarsen.search.thought import Budget, Stop
from search.noughts import GAME as NOUGHTS

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
RULES = EXAMPLES / "hex" / "sarsen_hex" / "rules.py"
AROUND = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
UNREACHABLE = 1000
# A pair of games takes seconds.
SEEDS = (0, pytest.param(1, marks=pytest.mark.slow))

Player = Callable[[Any, random.Random], str]


@pytest.fixture(scope="module")
def hexagons() -> ModuleType:
    """Load the rules alone: a game without anything else."""
    return load_rules(RULES, "sarsen_hex_rules")


@pytest.fixture
def filling(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return Hex with its `bot.py`, whose random games fill the board."""
    monkeypatch.syspath_prepend(EXAMPLES / "hex")
    return importlib.import_module("sarsen_hex.rules").GAME


@pytest.fixture
def breakthrough(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a game that helps its bot by `evaluate`."""
    monkeypatch.syspath_prepend(EXAMPLES / "breakthrough")
    return importlib.import_module("sarsen_breakthrough.rules").GAME


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


def most_ways(position: Any, chance: random.Random) -> str:
    """Play Amazons for the most squares to go to, compared with the other side."""
    side = position.side

    def lead(move: str) -> int:
        after = position.play(move)
        ways = [sum(len(list(after.reach(at))) for at in after.amazons(one)) for one in (0, 1)]
        return int(ways[side] - ways[1 - side])

    leads = {move: lead(move) for move in position.legal_moves()}
    most = max(leads.values())
    return str(chance.choice([move for move, found in leads.items() if found == most]))


def greedy(position: Any, chance: random.Random) -> str:
    """Play Breakthrough for the men that are left, then for the one ahead; win if possible."""
    side = position.side

    def gain(move: str) -> int:
        after = position.play(move)
        mine = [int(square[1:]) for square, owner in after.men.items() if owner == side]
        ahead = max(mine) if side == 0 else after.size + 1 - min(mine)
        won = after.outcome() is not None
        return 1000 * won + 10 * (2 * len(mine) - len(after.men)) + ahead

    gains = {move: gain(move) for move in position.legal_moves()}
    most = max(gains.values())
    return str(chance.choice([move for move, found in gains.items() if found == most]))


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


@pytest.mark.ci
@pytest.mark.parametrize("seed", SEEDS)
def test_level_eight_beats_the_shortest_way_in_both_seats(hexagons: ModuleType, seed: int) -> None:
    start = hexagons.GAME.start("-size=7")
    assert winner(start, (level(8, 600), shortest_way), seed) == 0
    assert winner(start, (shortest_way, level(8, 600)), seed) == 1


@pytest.mark.ci
@pytest.mark.parametrize("seed", SEEDS)
def test_rollouts_that_fill_the_board_beat_the_shortest_way(filling: Any, seed: int) -> None:
    start = filling.start("-size=7")
    assert winner(start, (level(8, 3000), shortest_way), seed) == 0
    assert winner(start, (shortest_way, level(8, 3000)), seed) == 1


@pytest.mark.parametrize("moves", [(), ("c3",), ("c3", "swap"), ("b2", "c4", "d1")])
def test_board_that_a_rollout_fills_has_the_winner_of_the_rules(
    filling: Any, moves: tuple[str, ...]
) -> None:
    position, chance = replayed(filling.start("-size=5 -swap"), moves), random.Random(1)
    rollout = functions_of(filling).rollout
    assert rollout is not None
    scores = set()
    for _ in range(100):
        told = rollout(position, chance)
        assert isinstance(told, tuple)
        score, filled = told
        scores.add(score)
        ended = position
        while ended.outcome() is None:
            ended = ended.play(filled[len(ended.moves) - len(position.moves)])
        assert ended.outcome().scores[position.seat] == score
    assert scores == {0.0, 1.0}


def test_level_two_beats_chance_in_every_game(hexagons: ModuleType, breakthrough: Any) -> None:
    for start in (hexagons.GAME.start("-size=5"), breakthrough.start("-size=6")):
        for seed in range(5):
            assert winner(start, (level(2), at_random), seed) == 0
            assert winner(start, (at_random, level(2)), seed) == 1


def test_game_of_rules_alone_is_played_alike_without_a_compiler(hexagons: ModuleType) -> None:
    position, budget = hexagons.GAME.start("-size=4"), Budget(nodes=general_bot.LEVELS[2].playouts)
    move = plain_bots.think(position, 3, seed=5, seconds=math.inf).move
    assert move == general_bot.think(position, 3, seed=5, budget=budget).move


def test_bot_with_a_kernel_is_not_imported_without_a_compiler(breakthrough: Any) -> None:
    assert general_bot.functions_without_compiler(load("druid")) == OwnFunctions()
    assert general_bot.functions_without_compiler(breakthrough) == functions_of(breakthrough)


def test_game_of_rules_alone_is_played_by_the_general_bot(hexagons: ModuleType) -> None:
    assert bots.module_name(hexagons.GAME) == "sarsen.search.general.bot"


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


@pytest.mark.ci
def test_level_eight_of_amazons_beats_a_player_for_the_most_ways_in_both_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES / "amazons")
    start = importlib.import_module("sarsen_amazons.rules").GAME.start("-size=6")
    for seed in range(2):
        assert winner(start, (level(8, 300), most_ways), seed) == 0
        assert winner(start, (most_ways, level(8, 300)), seed) == 1


@pytest.mark.ci
def test_level_eight_with_evaluate_beats_a_greedy_player_in_both_seats(breakthrough: Any) -> None:
    assert bots.module_name(breakthrough) == "sarsen.search.general.bot"
    start = breakthrough.start("-size=6")
    assert winner(start, (level(8, 1000), greedy), 1) == 0
    assert winner(start, (greedy, level(8, 1000)), 1) == 1


def test_minimax_proves_which_moves_lose() -> None:
    position = NOUGHTS.start().play(0).play(3).play(1)
    functions = OwnFunctions(evaluate=lambda position: 0.0, search=MINIMAX)
    weighed = minimax.weigh(position, functions, SearchLimit(nodes=5000, ends_at=math.inf))
    assert weighed[0].move == 2
    assert [each.proved for each in weighed[1:]] == [0.0] * 5


@pytest.mark.parametrize("wanted", [0, 4, 7])
def test_policy_decides_what_is_tried_first(wanted: int) -> None:
    def policy(position: AnyPosition, moves: Sequence[int]) -> list[float]:
        return [float(move == wanted) for move in moves]

    assert tried_first(OwnFunctions(policy=policy)).move == wanted


def test_fewer_playouts_than_moves_try_moves_of_the_whole_board() -> None:
    functions = OwnFunctions(evaluate=lambda position: 0.0)
    tried = {
        each.move
        for seed in range(60)
        for each in trees.weigh(
            NOUGHTS.start(), functions, SearchLimit(nodes=1, ends_at=math.inf), random.Random(seed)
        )
        if each.visits
    }
    assert tried == set(range(9))


def test_rollout_takes_the_place_of_random_games() -> None:
    # The seat to move loses every game, or wins it: the move before it is good, or bad.
    good = tried_first(OwnFunctions(rollout=lambda position, chance: 0.0))
    bad = tried_first(OwnFunctions(rollout=lambda position, chance: 1.0))
    assert good.score == 1.0
    assert bad.score == 0.0


def tried_first(functions: OwnFunctions) -> WeighedMove:
    """Return the move of noughts and crosses that a search of one playout tries."""
    limit = SearchLimit(nodes=1, ends_at=math.inf)
    weighed = trees.weigh(NOUGHTS.start(), functions, limit, random.Random(1))
    (tried,) = [each for each in weighed if each.visits]
    return tried


@pytest.mark.parametrize("number", range(1, 9))
def test_thought_that_is_stopped_asks_slow_rules_for_few_positions(
    hexagons: ModuleType, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    position, stop, asked = hexagons.GAME.start(), Stop(), 0
    stop.set()
    play = hexagons.HexPosition.after

    def counted(position: Any, move: str) -> Any:
        nonlocal asked
        asked += 1
        return play(position, move)

    monkeypatch.setattr(hexagons.HexPosition, "after", counted)
    thought = general_bot.think(position, number, seed=1, stop=stop)
    assert thought.move in position.legal_moves()
    assert asked <= 3
