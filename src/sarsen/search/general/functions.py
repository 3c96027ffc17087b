"""The functions of a game's own `bot.py` that the searches of any game use, where it has them."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.search.general.nodes import for_seat

Playout = tuple[float, Sequence[Any]]
MCTS, MINIMAX = "mcts", "minimax"


@dataclass(frozen=True)
class OwnFunctions:
    """The functions that a game brings for its bot; each may be None.

    Attributes:
        evaluate: Return how good a position is for the seat to move: 0 is even, with 1 it
            wins three games of four, with 3 seven of eight; negative numbers likewise.
        policy: Return a number for each move, larger for those to be tried first.
        rollout: Play a position to its end by chance, and return the score of the seat that
            was to move; where seats move in turn, it may return a pair, that score and the
            moves played, which RAVE then counts.
        search: MCTS or MINIMAX.
    """

    evaluate: Callable[[AnyPosition], float] | None = None
    policy: Callable[[AnyPosition, Sequence[Any]], Sequence[float]] | None = None
    rollout: Callable[[AnyPosition, random.Random], float | Playout] | None = None
    search: str = MCTS

    @property
    def has_playouts(self) -> bool:
        """Whether random games are played, from which RAVE learns."""
        return self.rollout is not None or self.evaluate is None

    def judge(self, position: AnyPosition) -> float:
        """Return the score that `evaluate` expects for the first seat, between 0 and 1."""
        assert self.evaluate is not None
        points = self.evaluate(position)
        return for_seat(0.5 + 0.5 * points / (abs(points) + 1.0), position.seat)


def functions_of(game: Game) -> OwnFunctions:
    """Return the functions of the module `bot` in the package of a game.

    `SEARCH` there names the search, MCTS where it is missing. In Breakthrough MINIMAX won 12
    games of 20 against MCTS with 0.3 seconds a move, but only MCTS won more by more nodes.
    """
    name = own_module(game, "bot")
    module: Any = importlib.import_module(name) if name else None
    return OwnFunctions(
        getattr(module, "evaluate", None),
        getattr(module, "policy", None),
        getattr(module, "rollout", None),
        getattr(module, "SEARCH", MCTS),
    )
