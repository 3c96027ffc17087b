"""Bots, which play a game at a level.

A game says in the module `bot` of its own package how it is played (`BotModule`);
`general.bot` plays any other game of two seats, with what that module has to help it.
Nothing here imports NumPy or Numba before the first thought; where they are not installed,
the weaker levels are played by `plain_bots`, and the others are refused.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.search import plain_bots
from sarsen.search.thought import Budget, Stop, Thought, refuse_when_over

LEAST, MOST = 1, 8
_LEVEL = re.compile("(?:bot)?([0-9]{1,3})", re.ASCII)
GENERAL = "sarsen.search.general.bot"
# Searches know two sides; a game of another package may have more.
SEATS = 2


class BotModule(Protocol):
    """The attributes of the module `bot` of a game's package.

    Attributes:
        SEARCHES: The modules of `sarsen.search` that it calls, to be compiled beforehand.
    """

    __name__: str
    SEARCHES: tuple[str, ...]

    def think(
        self,
        position: AnyPosition,
        level: int,
        *,
        seed: int,
        budget: Budget | None = None,
        stop: Stop | None = None,
    ) -> Thought:
        """Find a move for the seat to move.

        Args:
            level: LEAST .. MOST.
            seed: The same seed, version and budget in nodes give the same thought.
            budget: Instead of the level's own.
            stop: Set by another thread when the answer is wanted at once.
        """


@dataclass(frozen=True)
class Bot:
    """The bot of one level, for any game."""

    level: int

    @property
    def name(self) -> str:
        return f"bot{self.level}"

    def think(
        self,
        position: AnyPosition,
        *,
        seed: int = 0,
        budget: Budget | None = None,
        stop: Stop | None = None,
    ) -> Thought:
        """Find a move; see `BotModule.think`.

        Raises:
            UserError: The game is over, or not one of two seats.
        """
        if len(position.game.info.seats) != SEATS:
            raise UserError(
                "Programs play games of {seats} seats; {game} has {count}.",
                code="bot-seats",
                seats=SEATS,
                game=position.game.info.title,
                count=len(position.game.info.seats),
            )
        refuse_when_over(position)
        if not has_compiler():
            return plain_bots.think(position, self.level, seed=seed, stop=stop)
        module = load_module(position.game)
        return module.think(position, self.level, seed=seed, budget=budget, stop=stop)


def level_in(text: str) -> int | None:
    """Return the level that `5` or `bot5` names, which there need not be; None for other words."""
    found = _LEVEL.fullmatch(text.strip().lower())
    return int(found[1]) if found else None


def load(level: int) -> Bot:
    """Return the bot of a level.

    Raises:
        UserError: There is no such level, or it needs Numba, which is not installed.
    """
    if not LEAST <= level <= MOST:
        raise UserError(
            "There is no bot of level {level}: levels go from {least} to {most}.",
            code="no-such-level",
            hint=f"bot{MOST}",
            level=level,
            least=LEAST,
            most=MOST,
        )
    if level > strongest():
        raise UserError(
            "Levels above {level} need Numba, which is not installed here.",
            code="no-numba",
            hint="pip install '/path/to/sarsen[bots]'   (a clone or a wheel)",
            level=strongest(),
        )
    return Bot(level)


@cache
def has_compiler() -> bool:
    """Return whether Numba is installed; without importing it."""
    return all(importlib.util.find_spec(name) is not None for name in ("numba", "numpy"))


def strongest() -> int:
    """Return the highest level that this installation can play."""
    return MOST if has_compiler() else plain_bots.STRONGEST


def module_name(game: Game) -> str:
    """Return the name of the module that plays a game."""
    return load_module(game).__name__


def load_module(game: Game) -> BotModule:
    """Import the module that plays a game: its own, if that has `think`."""
    name = own_module(game, "bot")
    own: Any = importlib.import_module(name) if name else None
    module: Any = own if hasattr(own, "think") else importlib.import_module(GENERAL)
    bot_module: BotModule = module
    return bot_module
