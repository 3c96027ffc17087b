"""Levels 1 to 4 in pure Python: what plays where no compiled search is at hand.

A first start compiles the searches, which takes minutes, and an installation without Numba
never has them. Until then, and there, every game is played by its own rules and a small
evaluation: `think` chooses among the moves that the module `plain_bot` of the game's package
has scored, as carelessly as the level asks. A game without one is played by the general search
(docs/decisions/0071-playing-without-a-compiler.md). How strong this is beside the compiled levels
is measured in docs/strength.md.
"""

from __future__ import annotations

import importlib
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from sarsen.core.game import AnyPosition, own_module
from sarsen.search.general import bot as general_bot
from sarsen.search.thought import Candidate, Stop, Thought

STRONGEST = 4  # level
# A thought ends after so many seconds, on any machine and for any board: a mail or page that waits
# for the answer waits no longer.
SECONDS = 1.5


@dataclass(frozen=True)
class PlainLevel:
    """The settings of a level: how carefully it chooses among the moves that were scored.

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
        LEVELS: The settings of levels 1 to 4.
    """

    LEVELS: tuple[PlainLevel, ...]

    def score_moves(
        self, position: AnyPosition, level: PlainLevel, chance: random.Random, clock: Deadline
    ) -> Sequence[Candidate]:
        """Score the legal moves for the seat to move, as many as the clock allows.

        A move that wins is proved 1.0; one that allows a win in one move is proved 0.0. Both
        may be left to chance where `level` does not see them.

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
    name = own_module(position.game, "plain_bot")
    if name is None:
        level = min(level, STRONGEST)
        return general_bot.think_uncompiled(position, level, seed=seed, stop=stop, seconds=seconds)
    module: PlainBotModule = cast(Any, importlib.import_module(name))
    own = module.LEVELS[min(level, STRONGEST) - 1]
    chance = random.Random(seed)
    scored = module.score_moves(position, own, chance, Deadline(began + seconds, stop))
    thought = _choose(scored, own, chance)
    return replace(thought, nodes=len(scored), seconds=time.monotonic() - began)


def _choose(scored: Sequence[Candidate], level: PlainLevel, chance: random.Random) -> Thought:
    ranked = sorted(scored, key=lambda candidate: -candidate.score)
    if level.sees_wins and ranked[0].proved == 1.0:
        picked = ranked[0]
    else:
        picked = _draw(_acceptable(ranked, level), level, chance)
    return Thought(
        picked.move, picked.score, line=(picked.move,), candidates=tuple(ranked[: level.choice])
    )


def _acceptable(ranked: Sequence[Candidate], level: PlainLevel) -> Sequence[Candidate]:
    """List the moves to draw from: those that lose at once only where nothing else is left."""
    if level.sees_threats:
        ranked = [candidate for candidate in ranked if candidate.proved != 0.0] or ranked
    return ranked[: level.choice]


def _draw(ranked: Sequence[Candidate], level: PlainLevel, chance: random.Random) -> Candidate:
    if level.temperature <= 0:
        best = ranked[0].score
        return chance.choice([candidate for candidate in ranked if candidate.score == best])
    best = ranked[0].score
    weights = [math.exp((candidate.score - best) / level.temperature) for candidate in ranked]
    return chance.choices(ranked, weights)[0]
