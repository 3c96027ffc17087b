"""Levels 1 to 4 in pure Python: what plays where no compiled search is at hand.

A first start compiles the searches, which takes minutes, and an installation without Numba
never has them. Until then, and there, every game is played by its own rules and a small
evaluation: `think` chooses among the moves that the module `plain_bot` of the game's package
has weighed, as carelessly as the level asks. A game without one is weighed by `playouts`.
How strong this is beside the compiled levels is measured in docs/strength.md.
"""

from __future__ import annotations

import importlib
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.search.thought import Candidate, Stop, Thought

STRONGEST = 4  # level
# A thought ends after so many seconds, on any machine and for any board.
SECONDS = 1.5


@dataclass(frozen=True)
class Care:
    """How carefully a level chooses among the moves that were weighed.

    Attributes:
        temperature: A move that looks worse by so much of a game's score is drawn e times
            more rarely than the best; 0 takes the best.
        choice: How many of the moves that look best are drawn from; None for all.
        sees_wins: It takes a win in one move.
        sees_threats: It allows no win in one move where it can help it.
    """

    temperature: float
    choice: int | None = None
    sees_wins: bool = True
    sees_threats: bool = True


@dataclass(frozen=True)
class Deadline:
    """When a thought must end: at a time, or as soon as it is stopped."""

    ends_at: float
    stop: Stop | None = None

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.ends_at or (self.stop is not None and self.stop.is_set())


class PlainBotModule(Protocol):
    """The attributes of the module `plain_bot` of a game's package; no NumPy, no Numba.

    Attributes:
        LEVELS: The care of levels 1 to 4.
    """

    LEVELS: tuple[Care, ...]

    def weigh(
        self, position: AnyPosition, care: Care, chance: random.Random, clock: Deadline
    ) -> Sequence[Candidate]:
        """Weigh the legal moves for the seat to move, as many as the clock allows.

        A move that wins is proved 1.0; one that allows a win in one move is proved 0.0. Both
        may be left to chance where `care` does not see them.

        Returns:
            At least one move, in any order.
        """


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    stop: Stop | None = None,
    seconds: float = SECONDS,
) -> Thought:
    """Find a move for the seat to move, within `seconds`.

    Args:
        level: Levels above STRONGEST play as that one does.
        seed: Decides what is left to chance.
    """
    began = time.monotonic()
    moves = position.legal_moves()
    if len(moves) == 1:
        return Thought(moves[0], 0.5, line=(moves[0],), nodes=1)
    module = _module(position.game)
    care = module.LEVELS[min(level, STRONGEST) - 1]
    chance = random.Random(seed)
    weighed = module.weigh(position, care, chance, Deadline(began + seconds, stop))
    thought = _choose(weighed, care, chance)
    return replace(thought, nodes=len(weighed), seconds=time.monotonic() - began)


def _choose(weighed: Sequence[Candidate], care: Care, chance: random.Random) -> Thought:
    ranked = sorted(weighed, key=lambda candidate: -candidate.score)
    if care.sees_wins and ranked[0].proved == 1.0:
        picked = ranked[0]
    else:
        picked = _draw(_acceptable(ranked, care), care, chance)
    return Thought(
        picked.move, picked.score, line=(picked.move,), candidates=tuple(ranked[: care.choice])
    )


def _acceptable(ranked: Sequence[Candidate], care: Care) -> Sequence[Candidate]:
    """List the moves to draw from: those that lose at once only where nothing else is left."""
    if care.sees_threats:
        ranked = [candidate for candidate in ranked if candidate.proved != 0.0] or ranked
    return ranked[: care.choice]


def _draw(ranked: Sequence[Candidate], care: Care, chance: random.Random) -> Candidate:
    if care.temperature <= 0:
        best = ranked[0].score
        return chance.choice([candidate for candidate in ranked if candidate.score == best])
    best = ranked[0].score
    weights = [math.exp((candidate.score - best) / care.temperature) for candidate in ranked]
    return chance.choices(ranked, weights)[0]


def _module(game: Game) -> PlainBotModule:
    name = own_module(game, "plain_bot") or "sarsen.search.playouts"
    module: Any = importlib.import_module(name)
    plain_module: PlainBotModule = module
    return plain_module
