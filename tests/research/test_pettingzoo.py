"""The games as environments of PettingZoo, judged by its own checks."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pytest

import sarsen
from sarsen.core.errors import IllegalMove, UserError

NEEDED = 'PettingZoo is not installed: pip install "/path/to/sarsen[pettingzoo]"'
pytest.importorskip("pettingzoo", reason=NEEDED)
pytest.importorskip("PIL", reason=NEEDED)
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from sarsen.research import ResearchPosition  # noqa: E402
from sarsen.research.pettingzoo import BoardEnv, env  # noqa: E402

GAMES: list[tuple[str, str, int | None]] = [
    ("druid", "-size=4 -swap", None),
    ("gyges", "", 12),
    ("vasco", "-size=8", None),
    ("visavis", "-size=5 -swap", None),
]


def begun(*args: Any, **named: Any) -> Any:
    made = env(*args, **named)
    made.reset(seed=1)
    return made


@pytest.mark.parametrize(("game", "options", "plies"), GAMES)
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_an_environment_passes_the_tests_of_pettingzoo(
    game: str, options: str, plies: int | None
) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(env(game, options, most_plies=plies), num_cycles=40)
        seed_test(lambda: env(game, options, most_plies=plies), num_cycles=10)


def test_rendering_passes_the_test_of_pettingzoo() -> None:
    def make(render_mode: Any) -> Any:
        return env("vasco", "-size=6", render_mode=render_mode)

    checks: dict[str, Any] = {
        "ansi": lambda shown: isinstance(shown, str) and "left in the pool" in shown,
        "rgb_array": lambda shown: shown.shape[1:] == (600, 3) and shown.dtype == np.uint8,
    }
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        render_test(make, custom_tests=checks)
    assert "tiles left in the pool" in printed.getvalue()


def test_a_picture_has_colours_and_changes_with_a_move() -> None:
    made = begun("druid", "-size=4", render_mode="rgb_array")
    before = made.render()
    made.step(int(np.argmax(made.observe("player_0")["action_mask"])))
    assert not np.array_equal(before, made.render())
    assert len({tuple(pixel) for pixel in before[::8, ::8].reshape(-1, 3).tolist()}) > 4
    assert begun("druid").render() is None


def test_an_observation_is_the_position_and_the_mask_its_legal_moves() -> None:
    made = begun("visavis", "-size=5")
    position = sarsen.load("visavis").start("-size=5")
    for text in ("E3", "D4", "B2"):
        seen = made.observe(made.agent_selection)
        assert np.array_equal(seen["observation"], position.observation())
        assert tuple(np.flatnonzero(seen["action_mask"])) == position.action_numbers()
        assert made.observation_space(made.agent_selection).contains(seen)
        other = f"player_{1 - position.seat}"
        assert not made.observe(other)["action_mask"].any()
        number = next(n for n, move in position.actions().items() if move == text)
        assert made.last(observe=False)[-1]["action_mask"] is seen["action_mask"]
        assert made.infos[other] == {}
        made.step(number)
        position = position.play_action(number)


def test_the_winner_is_rewarded_and_the_loser_not() -> None:
    made = begun("visavis", "-size=5")
    for text in ("E3", "D4", "B2", "E2"):
        actions = ResearchPosition(made.unwrapped.position).actions()
        made.step(next(number for number, move in actions.items() if move == text))
    assert made.terminations == {"player_0": True, "player_1": True}
    assert made.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert not any(made.truncations.values())


def test_a_game_that_takes_too_long_is_cut_without_a_reward() -> None:
    made = begun("gyges", most_plies=3)
    for _ in range(3):
        assert not any(made.truncations.values())
        mask = made.observe(made.agent_selection)["action_mask"]
        made.step(int(np.flatnonzero(mask)[0]))
    assert all(made.truncations.values())
    assert not any(made.terminations.values())
    assert set(made.rewards.values()) == {0.0}
    assert not made.observe(made.agent_selection)["action_mask"].any()


def test_an_illegal_action_loses_when_wrapped_and_is_refused_by_the_bare_environment() -> None:
    made = begun("visavis", "-size=5")
    made.step(0)
    assert made.terminations["player_0"]
    assert made.rewards["player_0"] == -1
    bare = BoardEnv("visavis", "-size=5")
    with pytest.raises(IllegalMove):
        bare.step(0)
    with pytest.raises(IllegalMove):
        bare.step(None)
    assert bare.infos["player_0"]["action_mask"].any()


def test_what_cannot_be_is_refused_in_words() -> None:
    with pytest.raises(UserError, match="render mode"):
        env("druid", render_mode="film")  # type: ignore[arg-type]
    with pytest.raises(UserError, match="plies"):
        env("druid", most_plies=-5)
    with pytest.raises(UserError, match="no game called"):
        env("chess")
