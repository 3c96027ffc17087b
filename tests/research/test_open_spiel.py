"""The games in OpenSpiel, judged by its own checks."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import sarsen
from sarsen.core.errors import IllegalMove, UserError
from sarsen.games import names

pyspiel: Any = pytest.importorskip(
    "pyspiel", reason='OpenSpiel is not installed: pip install "/path/to/sarsen[openspiel]"'
)
from open_spiel.python.algorithms import mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from sarsen.research import open_spiel  # noqa: E402

# Small, or cut short: a position of Gyges has hundreds of moves.
GAMES = [
    "sarsen_druid(size=3,swap=true)",
    "sarsen_gyges(most_plies=8)",
    "sarsen_vasco(size=8)",
    "sarsen_visavis(size=5,swap=true)",
]


def test_every_game_is_registered_once_with_its_options_as_parameters() -> None:
    assert set(open_spiel.register()) == {f"sarsen_{name}" for name in names()}
    assert set(open_spiel.register()) <= set(pyspiel.registered_names())
    assert str(pyspiel.load_game("sarsen_druid")) == (
        "sarsen_druid(exact=False,most_plies=0,nogaps=False,size=8,swap=False)"
    )


@pytest.mark.parametrize("text", GAMES)
def test_random_games_pass_the_checks_of_open_spiel(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["druid", "gyges", "vasco", "visavis"])
def test_whole_games_with_the_usual_options_pass_the_checks_of_open_spiel(name: str) -> None:
    plies = "(most_plies=40)" if name == "gyges" else ""
    game = pyspiel.load_game(f"sarsen_{name}{plies}")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.ci
@pytest.mark.parametrize("text", GAMES)
def test_a_playthrough_is_written_and_written_the_same_again(text: str) -> None:
    # It loads a good deal of SciPy: not while tests are collected.
    from open_spiel.python.algorithms import generate_playthrough

    first = generate_playthrough.playthrough(text, action_sequence=None, seed=7)
    histories = re.findall(r"^History\(\) = \[(.+)\]$", first, re.M)
    played = [int(action) for action in histories[-1].split(",")]
    assert played
    assert generate_playthrough.playthrough(text, action_sequence=played) == first


@pytest.mark.parametrize("text", GAMES)
def test_the_mcts_bot_plays_a_whole_game(text: str) -> None:
    game, rng = pyspiel.load_game(text), np.random.RandomState(5)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 2.0, 3, evaluator, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0
    assert state.move_number() <= game.max_game_length()


@pytest.mark.parametrize("text", GAMES)
def test_the_compiled_mcts_search_walks_our_positions(text: str) -> None:
    game = pyspiel.load_game(text)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 3)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 3, 100, False, 1, False)
    state = game.new_initial_state()
    assert bot.mcts_search(state).best_child().action in state.legal_actions()


def test_mcts_finds_the_winning_stone() -> None:
    game, rng = pyspiel.load_game("sarsen_druid(size=3)"), np.random.RandomState(1)
    state = game.new_initial_state()
    for text in ("a1", "c1", "a2", "c3"):
        state.apply_action(state.string_to_action(text))
    bot = mcts.MCTSBot(game, 2.0, 60, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert state.action_to_string(bot.step(state)) == "a3"


def test_states_are_our_positions() -> None:
    game = pyspiel.load_game("sarsen_visavis(size=5)")
    state = game.new_initial_state()
    position = sarsen.load("visavis").start("-size=5")
    for text in ("E3", "D4", "B2"):
        state.apply_action(state.string_to_action(text))
        position = position.play(text)
    assert state.legal_actions() == list(position.action_numbers())
    assert state.current_player() == position.seat == 1
    assert str(state) == f"{position.text()}\n{position.write()}"
    assert state.observation_string() == position.text()
    assert state.observation_tensor() == position.observation().flatten().tolist()
    observation = make_observation(game)
    observation.set_from(state, player=0)
    assert np.array_equal(observation.dict["planes"], position.observation())
    state.apply_action(state.string_to_action("E2"))
    assert state.is_terminal()
    assert state.returns() == [-1, 1]


def test_a_clone_goes_its_own_way() -> None:
    state = pyspiel.load_game("sarsen_druid(size=4)").new_initial_state()
    state.apply_action(state.string_to_action("a1"))
    clone = state.clone()
    clone.apply_action(clone.string_to_action("d4"))
    assert (state.history(), len(clone.history())) == (clone.history()[:1], 2)
    assert str(state) != str(clone)


def test_most_plies_ends_a_game_drawn() -> None:
    game = pyspiel.load_game("sarsen_druid(size=4,most_plies=3)")
    assert game.max_game_length() == 3
    state = game.new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0, 0]
    assert state.legal_actions() == []
    assert pyspiel.load_game("sarsen_gyges").max_game_length() == 1000


def test_what_cannot_be_is_refused_and_nothing_crashes() -> None:
    with pytest.raises(UserError, match="size must be from"):
        pyspiel.load_game("sarsen_druid(size=99)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        pyspiel.load_game("sarsen_druid(colour=3)")
    with pytest.raises(UserError, match="plies"):
        pyspiel.load_game("sarsen_druid(most_plies=-1)")
    game = pyspiel.load_game("sarsen_druid(size=4)")
    with pytest.raises(IllegalMove, match="no legal move"):
        game.new_initial_state().apply_action(10**6)
    with pytest.raises(UserError, match="parameters"):
        make_observation(game, params={"planes": 3})


def test_a_process_that_used_the_games_ends_in_peace() -> None:
    program = (
        "import pyspiel, sarsen.research.open_spiel\n"
        "state = pyspiel.load_game('sarsen_vasco(size=6)').new_initial_state()\n"
        "state.apply_action(state.legal_actions()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
