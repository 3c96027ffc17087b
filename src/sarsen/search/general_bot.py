"""How a game without a bot of its own is played: by playouts of its own rules.

The moves it finds are as good as chance shows them; a level is how many games of chance
are played, and how carelessly it then chooses. No answer takes longer than seconds.
"""

from __future__ import annotations

from functools import partial

from sarsen.core.game import AnyPosition
from sarsen.search import levels, thinking
from sarsen.search.rules_kernel import PlainModule
from sarsen.search.thought import Budget, Stop, Thought

# Compiled together with what is imported here; see `warming.game_parts`.
SEARCHES = ("tactics", "mcts")

# Playouts and temperature, from level 1 to 8.
_TABLE = (
    (8, 0.30),
    (16, 0.22),
    (32, 0.16),
    (64, 0.11),
    (128, 0.07),
    (300, 0.04),
    (700, 0.02),
    (1600, 0.0),
)
# The rules of some games are slow; the last level may take as long as this.
_SECONDS = 4.0


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    playouts, temperature = _TABLE[level - 1]
    own = levels.LevelSettings(
        nodes=playouts,
        temperature=temperature,
        sees_wins=level >= 2,
        sees_threats=level >= 3,
        seconds=_SECONDS * level / len(_TABLE),
    )
    module = PlainModule()
    search = partial(_search, module, position, seed, stop)
    return levels.play(module, position, own, search, seed=seed, budget=budget, stop=stop)


def _search(
    module: PlainModule, position: AnyPosition, seed: int, stop: Stop | None, budget: Budget
) -> Thought:
    return thinking.mcts(module, position, budget, seed, stop)
