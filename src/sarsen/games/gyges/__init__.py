"""Gyges, by Claude Leroy, 1984: rings that belong to nobody race for two goals.

Open `rules` first. `board` holds slots and connections, `routes` how a ring goes from place
to place, `judging` why a move is refused, `notation` how moves and positions are written.
`view` draws text, `picture` the picture.
"""

from sarsen.games.gyges import view
from sarsen.games.gyges.rules import GAME

__all__ = ["GAME", "view"]
