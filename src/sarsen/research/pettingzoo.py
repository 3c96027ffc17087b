"""The games as environments of PettingZoo, whose agents move in turn (AEC).

Needs the extra `pettingzoo`. `env("gyges")` is ready for use: an illegal action ends
the game against who took it. `BoardEnv` is what it wraps, and refuses one instead.
"""

from __future__ import annotations

import io
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import Outcome
from sarsen.research import playing
from sarsen.research.playing import ResearchPosition, check_planes, load

RenderMode = Literal["human", "ansi", "rgb_array"]
RENDER_MODES: tuple[RenderMode, ...] = ("human", "ansi", "rgb_array")
WIDTH = 600  # pixels of a picture
MASK = "action_mask"


def env(
    game: str,
    options: str = "",
    *,
    most_plies: int | None = None,
    render_mode: RenderMode | None = None,
) -> AECEnv:
    """Make an environment: `env("druid", "-size=5", most_plies=200)`.

    Args:
        most_plies: Truncates a longer game, without a reward; None for as many as the
            rules need, or 1000 where they know no bound.
        render_mode: `human` prints the board after each move, `ansi` gives it as text,
            `rgb_array` as pixels.

    Raises:
        UserError: Unknown games, options and modes; a plug-in game without planes.
    """
    raw = BoardEnv(game, options, most_plies=most_plies, render_mode=render_mode)
    ends_when_illegal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ends_when_illegal))


class BoardEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """One game, its seats as agents `player_0`, `player_1`.

    An observation holds the planes of the position and the mask of legal actions, which is
    empty for an agent whose turn it is not; the agent to move has the mask in its info, too.
    Nothing is left to chance, so a seed is unused.
    """

    def __init__(
        self,
        game: str,
        options: str = "",
        *,
        most_plies: int | None = None,
        render_mode: RenderMode | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise UserError(
                f"There is no render mode {render_mode!r}.",
                code="render-mode",
                hint=f"render_mode={RENDER_MODES[1]!r}",
            )
        self.first = load(game).start(options)
        check_planes(self.first.rules, self.first.coding)
        self.most_plies = playing.most_plies(self.first, most_plies)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"sarsen_{self.first.game.info.name}_v{self.first.game.info.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(len(self.first.rules.sides))]
        self._actions = {agent: self._action_space() for agent in self.possible_agents}
        self._observations = {agent: self._observation_space() for agent in self.possible_agents}
        self.reset()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Put the first position on the board."""
        self.position, self.plies = self.first.numbered, 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._give_turn()

    def observe(self, agent: str) -> dict[str, Any]:
        rules, coding = self.position.rules, self.position.coding
        is_over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        mask = None if is_over else self.infos[agent].get(MASK)
        return {
            "observation": playing.observe(rules, coding),
            MASK: np.zeros(coding.actions, np.int8) if mask is None else mask,
        }

    def step(self, action: int | None) -> None:
        """Play the move of a number for the agent whose turn it is.

        Raises:
            IllegalMove: It is no legal move here.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.position = self.position.play_action(-1 if action is None else action)
        self.plies += 1
        self.infos[agent] = {}
        outcome = self.position.rules.outcome()
        if outcome is not None:
            self._end(outcome)
        elif self.plies >= self.most_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self._give_turn()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray[Any, np.dtype[np.uint8]] | None:
        """Print the board, or give it as text or an array of height, width and colours."""
        if self.render_mode == "human":
            print(drawing.text(self.position.rules), end="\n\n")
            return None
        if self.render_mode == "ansi":
            return drawing.text(self.position.rules)
        if self.render_mode == "rgb_array":
            # Only here: programs that draw nothing need no Pillow.
            from PIL import Image

            with Image.open(io.BytesIO(ResearchPosition(self.position).png(WIDTH))) as picture:
                return np.asarray(picture.convert("RGB"))
        return None

    def close(self) -> None:
        """Do nothing: no resources are open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _give_turn(self) -> None:
        """Select the agent to move, and give it the mask of its legal actions."""
        agent = self.possible_agents[self.position.rules.seat]
        self.agent_selection = agent
        if not (self.terminations[agent] or self.truncations[agent]):
            # A byte each: half the time of an array and a list of indices.
            mask = bytearray(self.position.coding.actions)
            for action in self.position.action_numbers():
                mask[action] = 1
            self.infos[agent] = {MASK: np.frombuffer(mask, np.int8)}

    def _end(self, outcome: Outcome) -> None:
        seats = len(self.possible_agents)
        for agent, score in zip(self.possible_agents, outcome.scores, strict=True):
            self.rewards[agent] = seats * score - 1
        self.terminations = dict.fromkeys(self.agents, True)

    def _action_space(self) -> spaces.Discrete:
        return spaces.Discrete(self.first.coding.actions)

    def _observation_space(self) -> spaces.Dict:
        coding = self.first.coding
        highest = max(coding.highest, len(self.possible_agents) - 1)
        return spaces.Dict(
            {
                "observation": spaces.Box(0, highest, coding.shape, np.float32),
                MASK: spaces.Box(0, 1, (coding.actions,), np.int8),
            }
        )
