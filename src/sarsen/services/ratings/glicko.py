"""Glicko-2 for one player: the library `glicko2`, put right where it leaves the paper.

Mark E. Glickman, "Example of the Glicko-2 system" (revised 22 March 2022). The
library's own worked example comes out right, but three things do not:

- In step 5 it puts the rating where the paper has the deviation. At a rating of 1500
  the volatility hardly shows it; elsewhere it depends on how strong somebody is.
- Its players change in place, and the system constant belongs to the class.
- Nothing bounds the deviation, and no games is an error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from glicko2 import Player as LibraryPlayer

SCALE = 173.7178  # points for one unit of the paper's inner scale
MOST_DEVIATION = 350.0  # that of somebody of whom nothing is known
# The paper: "reasonable choices are between 0.3 and 1.2"; its example has 0.5.
SYSTEM_CONSTANT = 0.5
PROVISIONAL_ABOVE = 110.0  # deviation above which a rating says little


@dataclass(frozen=True)
class Strength:
    """The three numbers of a player; at first those of somebody unknown."""

    rating: float = 1500.0
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.deviation > PROVISIONAL_ABOVE


@dataclass(frozen=True)
class Game:
    """A game of the player's: how strong the opponent was, and 1, 0.5 or 0 for the player."""

    opponent: Strength
    score: float


NEWCOMER = Strength()


def after_games(before: Strength, games: Sequence[Game]) -> Strength:
    """Give the strength after a period with these games, the paper's steps 2 to 8.

    Args:
        games: With the strength each opponent had before the period. None: as `after_idle`.
    """
    if not games:
        return after_idle(before)
    player = _Player(before.rating, before.deviation, before.volatility)
    player.update_player(
        [game.opponent.rating for game in games],
        [game.opponent.deviation for game in games],
        [game.score for game in games],
    )
    # Losing a game that was thought won can leave a volatile newcomer less certain than
    # the paper's newcomer; nobody is known less than somebody of whom nothing is known.
    return Strength(player.rating, min(player.rd, MOST_DEVIATION), player.vol)


def after_idle(before: Strength, periods: int = 1) -> Strength:
    """Give the strength after so many periods without a game: only less certain.

    The paper's step 6, applied so many times at once.
    """
    grown = math.hypot(before.deviation, before.volatility * SCALE * math.sqrt(periods))
    return Strength(before.rating, min(grown, MOST_DEVIATION), before.volatility)


class _Player(LibraryPlayer):  # type: ignore[misc]
    """The library's player with the paper's step 5."""

    _tau = SYSTEM_CONSTANT

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        """Give f(x) of step 5.1; must agree with how the library calls it."""
        spread, grown = (self.rd / SCALE) ** 2, math.exp(x)
        surprise = grown * (delta**2 - spread - v - grown) / (2 * (spread + v + grown) ** 2)
        return float(surprise - (x - a) / self._tau**2)
