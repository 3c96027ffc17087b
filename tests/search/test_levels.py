"""Levels: weak ones are careless, never stupid; all can be repeated."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from sarsen.search.general import bot as general_bot
from sarsen.search.levels import LevelSettings, play
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thinking import Tuning, alphabeta, mcts
from sarsen.search.thought import Budget, Stop, Thought
from search.noughts import GAME, Noughts, NoughtsModule, truth, value_of
from search.test_truth import walks

CARELESS = LevelSettings(nodes=60, temperature=10.0, sees_wins=False, sees_threats=False)
AWAKE = LevelSettings(nodes=60, temperature=10.0, sees_threats=False)
WARY = LevelSettings(nodes=60, temperature=10.0)
SHARP = LevelSettings(nodes=60_000)


def choose(
    position: Noughts, level: LevelSettings, seed: int, *, is_opening: bool = False
) -> Thought:
    module = NoughtsModule()
    tuning = Tuning(margin=3_000_000)
    search = partial(search_points, module, position, seed, tuning)
    return play(module, position, level, search, seed=seed, is_opening=is_opening)


def search_points(
    module: NoughtsModule, position: Noughts, seed: int, tuning: Tuning, budget: Budget
) -> Thought:
    return alphabeta(module, position, budget, seed, tuning=tuning)


def wins_at_once(position: Noughts) -> set[int]:
    return {move for move in position.legal_moves() if value_of(position, move) == (1.0, 1)}


@pytest.mark.parametrize("options", ["", "-twice"])
def test_from_level_two_no_win_in_one_is_missed(options: str) -> None:
    for seed, position in enumerate(walks(options, 150)):
        wins = wins_at_once(position)
        if wins:
            assert choose(position, AWAKE, seed).move in wins


@pytest.mark.parametrize("options", ["", "-twice"])
def test_from_level_three_no_win_in_one_is_allowed_that_can_be_helped(options: str) -> None:
    for seed, position in enumerate(walks(options, 150)):
        after = {move: position.play(move) for move in position.legal_moves()}
        safe = {
            move
            for move, reached in after.items()
            if reached.outcome() is not None
            or reached.seat == position.seat
            or not wins_at_once(reached)
        }
        if safe and not wins_at_once(position):
            assert choose(position, WARY, seed).move in safe


def test_level_one_is_careless() -> None:
    position = GAME.start()
    for cell in (0, 3, 1, 4):
        position = position.play(cell)
    picked = Counter(choose(position, CARELESS, seed).move for seed in range(40))
    assert picked[2] < 30
    assert len(picked) >= 3


def test_a_choice_of_two_draws_among_the_two_best_only() -> None:
    position = GAME.start().play(4)
    picky = replace(CARELESS, choice=2)
    for seed in range(20):
        free = choose(position, CARELESS, seed)
        best = [candidate.move for candidate in free.candidates[:2]]
        assert choose(position, picky, seed).move in best
    assert len({choose(position, picky, seed).move for seed in range(20)}) > 1


def test_without_temperature_only_the_best_is_played() -> None:
    for seed, position in enumerate(walks("", 40)):
        thought = choose(position, SHARP, seed)
        assert value_of(position, thought.move)[0] == truth(position)[0]


def test_openings_vary_and_can_be_repeated() -> None:
    module = NoughtsModule()
    start = GAME.start()

    def opening(seed: int) -> int:
        search = partial(mcts_search, module, start, seed)
        level = LevelSettings(nodes=400)
        return int(play(module, start, level, search, seed=seed, is_opening=True).move)

    first = [opening(seed) for seed in range(12)]
    assert first == [opening(seed) for seed in range(12)]
    assert len(set(first)) > 1


def mcts_search(module: NoughtsModule, position: Noughts, seed: int, budget: Budget) -> Thought:
    return mcts(module, position, budget, seed)


def test_only_what_is_proved_lost_is_resigned() -> None:
    for seed, position in enumerate(walks("", 80)):
        for level in (CARELESS, WARY, SHARP):
            if choose(position, level, seed).resigns:
                assert truth(position)[0] == 0.0


@pytest.mark.parametrize("level", range(1, 9))
def test_any_game_is_played_at_every_level(level: int) -> None:
    position = GAME.start().play(0).play(4)
    budget = Budget(nodes=10 * level)
    thought = general_bot.think(position, level, seed=level, budget=budget)
    again = general_bot.think(position, level, seed=level, budget=budget)
    assert thought.move == again.move
    assert thought.move in position.legal_moves()


def test_the_last_level_of_any_game_does_not_lose_noughts_and_crosses() -> None:
    position: Noughts = GAME.start().play(0)  # type: ignore[assignment]
    while position.outcome() is None:
        level, playouts = (8, 500) if position.seat == 1 else (3, 30)
        thought = general_bot.think(position, level, seed=1, budget=Budget(nodes=playouts))
        position = position.play(thought.move)
    assert truth(position)[0] == 0.5 or position.seat == 0


def test_rules_in_python_are_asked_for_threats_only_while_there_is_time() -> None:
    position = GAME.start().play(0).play(1).play(4)

    def positions_seen(level: LevelSettings, *, stopped: bool) -> int:
        module, stop = PlainModule(), Stop()
        if stopped:
            stop.set()

        def search(budget: Budget) -> Thought:
            return mcts(module, position, Budget(nodes=1))

        play(module, position, level, search, seed=1, stop=stop)
        return len(module._positions)

    patient = positions_seen(WARY, stopped=False)
    assert positions_seen(WARY, stopped=True) < patient
    assert positions_seen(replace(WARY, seconds=0.0), stopped=False) < patient


def test_a_kernel_is_asked_for_threats_however_little_time_there_is() -> None:
    position = GAME.start().play(0).play(8).play(4).play(1)
    module, stop = NoughtsModule(), Stop()
    stop.set()
    for seed in range(10):
        search = partial(search_points, module, position, seed, Tuning(margin=3_000_000))
        thought = play(module, position, replace(WARY, seconds=0.0), search, seed=seed, stop=stop)
        assert not wins_at_once(position.play(thought.move))
