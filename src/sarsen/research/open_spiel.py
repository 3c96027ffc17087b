"""The games for OpenSpiel: import this module, then `pyspiel.load_game("sarsen_druid(size=5)")`.

Needs the extra `openspiel`. Parameters are the options of the game; `most_plies`
ends a game as a draw, 0 (as it comes) after as many as its rules need.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from sarsen import drawing, games
from sarsen.core.errors import IllegalMove, UserError
from sarsen.core.game import GameInfo
from sarsen.core.options import Option
from sarsen.research import playing
from sarsen.research.playing import ResearchGame, ResearchPosition, fill, load

PREFIX = "sarsen_"
MAX_PLIES = "most_plies"
OVER: int = pyspiel.PlayerId.TERMINAL


class SarsenGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """One of our games with certain options."""

    def __init__(
        self, kind: pyspiel.GameType, game: ResearchGame, params: Mapping[str, Any] | None = None
    ):
        wished = dict(params or {})
        plies = int(wished.pop(MAX_PLIES, 0))
        self.first = game.start(**wished)
        self.most_plies = playing.most_plies(self.first, plies)
        super().__init__(kind, _sizes(self.first, self.most_plies), params or {})

    def new_initial_state(self, state: object = None) -> SarsenState:
        """Return the first position.

        Raises:
            UserError: A state to begin with; ours are made by playing.
        """
        if state is not None:
            raise UserError(
                "Positions of sarsen are made by playing.",
                code="no-such-state",
                hint="game.new_initial_state()",
            )
        return SarsenState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> object:
        """Return what turns states into planes, or into their history."""
        sees_the_board = iig_obs_type is None or (
            iig_obs_type.public_info and not iig_obs_type.perfect_recall
        )
        if sees_the_board:
            return BoardObserver(self.first, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SarsenState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position, and how many plies led to it."""

    def __init__(self, game: SarsenGame):
        super().__init__(game)
        self.position = game.first.numbered
        self.plies_left = game.most_plies
        # OpenSpiel asks these several times a ply.
        self.is_over = game.first.outcome() is not None
        self.player: int = OVER if self.is_over else game.first.seat

    def current_player(self) -> int:
        return self.player

    def is_terminal(self) -> bool:
        return self.is_over

    def returns(self) -> list[float]:
        """Return 1 to the winner of two and -1 to the loser, 0 to all when nobody has won."""
        rules = self.position.rules
        outcome, seats = rules.outcome(), len(rules.game.info.seats)
        if outcome is None:
            return [0.0] * seats
        return [seats * score - 1 for score in outcome.scores]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the numbers of the legal moves, lowest first.

        Programs in Python call this one. By way of C++, which calls the next, a ply of Druid
        takes a tenth longer.
        """
        if self.is_over or player not in (None, self.player):
            return []
        return self.position.action_numbers()

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.action_numbers()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play_action(action)
        self.plies_left -= 1
        rules = self.position.rules
        self.is_over = not self.plies_left or rules.outcome() is not None
        self.player = OVER if self.is_over else rules.seat

    def _action_to_string(self, player: int, action: int) -> str:
        try:
            return self.position.rules.format(self.position.move_of(action))
        except IllegalMove:
            return f"action {action}"  # They ask for those of other positions, too.

    def __str__(self) -> str:
        # Libraries take this for the whole state, so what the picture leaves out stands below.
        rules = self.position.rules
        return f"{drawing.text(rules)}\n{rules.write()}"


class BoardObserver:
    """Write a state into the planes of its game."""

    def __init__(self, first: ResearchPosition, params: object):
        if params:
            raise UserError(
                "Observations of sarsen have no parameters.",
                code="no-such-parameter",
                hint="make_observation(game)",
            )
        shape = first.coding.shape if first.coding.planes else (0, 0, 0)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)} if first.coding.planes else {}

    def set_from(self, state: SarsenState, player: int) -> None:
        """Fill `tensor`; everybody sees the whole board."""
        if self.dict:
            position = state.position
            fill(self.dict["planes"], position.rules, position.coding)

    def string_from(self, state: SarsenState, player: int) -> str:
        """Draw the board."""
        return drawing.text(state.position.rules)


def register() -> tuple[str, ...]:
    """Make every game found known to OpenSpiel; return their names there."""
    registered = set(pyspiel.registered_names())
    names = {PREFIX + name: name for name in games.names()}
    for registered_name, name in names.items():
        if registered_name not in registered:
            game = load(name)
            kind = _kind(registered_name, game)
            pyspiel.register_game(kind, _class_of(kind, game))
    return tuple(names)


def _class_of(kind: pyspiel.GameType, game: ResearchGame) -> type[SarsenGame]:
    # A class, as theirs are: a function held by OpenSpiel alone is freed after Python
    # has ended, and the process dies of it.
    class RegisteredGame(SarsenGame):
        def __init__(self, params: Mapping[str, Any] | None = None):
            super().__init__(kind, game, params)

    return RegisteredGame


def _kind(name: str, game: ResearchGame) -> pyspiel.GameType:
    info = game.info
    has_planes = bool(game.start().coding.planes)
    return pyspiel.GameType(
        short_name=name,
        long_name=f"{info.title} ({info.author}, {info.year})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(info.seats),
        min_num_players=len(info.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=has_planes,
        parameter_specification=_parameters(info),
    )


def _parameters(info: GameInfo) -> dict[str, Any]:
    declared: tuple[Option, ...] = info.options
    # Their parameters have a kind each, and an option without a value has none.
    defaults = {option.name: option.default for option in declared if option.default is not None}
    return {**defaults, MAX_PLIES: 0}


def _sizes(first: ResearchPosition, plies: int) -> pyspiel.GameInfo:
    seats = len(first.game.info.seats)
    return pyspiel.GameInfo(
        num_distinct_actions=first.coding.actions,
        max_chance_outcomes=0,
        num_players=seats,
        min_utility=-1.0,
        max_utility=float(seats - 1),
        utility_sum=0.0,
        max_game_length=plies,
    )


register()
