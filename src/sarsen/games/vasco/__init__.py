"""Vasco, by Cameron Browne (2008): close a loop of your colour.

Open `rules` first, then `moves` (what is possible and what is forced) and `paths`. `notation`
holds the words of moves and positions; `view` and `text` draw text, `picture` the picture.
"""

from sarsen.games.vasco import view
from sarsen.games.vasco.rules import GAME

__all__ = ["GAME", "view"]
