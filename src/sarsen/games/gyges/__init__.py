"""Gyges, by Claude Leroy, 1984: rings that belong to nobody race for two goals.

Open `rules` first: the law. `board` holds slots and connections, `routes` how a
ring goes from place to place, `choices` what can be chosen, `judging` why a move
is refused, `moves` and `notation` how moves are kept and read, `lines` how
positions are written. `view` shows it all, with `words` and `picture`.
"""

from sarsen.games.gyges import view
from sarsen.games.gyges.rules import GAME

__all__ = ["GAME", "view"]
