"""For researchers: games from Python, as fixed spaces of actions, and as sets of data.

Open `playing` first: `sarsen.load("druid").start("-size=5")`. `core.coding` finds what numbers the
moves and gives positions planes: the module `coding` of a game's package. `open_spiel` and
`pettingzoo` lend the games to those libraries, which are extras and imported there only;
`dataset/` writes finished games as tables. docs/research.md shows it all.

Stands on games and drawing. Nothing here imports Numba; NumPy comes with the first
observation.
"""

from sarsen.research.playing import ResearchGame, ResearchPosition, load

__all__ = ["ResearchGame", "ResearchPosition", "load"]
