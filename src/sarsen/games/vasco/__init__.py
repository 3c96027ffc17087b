"""Vasco, by Cameron Browne (2008): close a loop of your colour.

Open `rules` first, then `table`, which holds what is possible and what is forced.
Imports `sarsen.core` and `sarsen.drawing` only.
"""

from sarsen.games.vasco import view
from sarsen.games.vasco.rules import GAME

__all__ = ["GAME", "view"]
