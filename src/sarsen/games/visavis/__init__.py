"""Visavis: build bridges between your pegs, and join your two sides first.

Open `rules` first (turns, swaps, victory), then `board` (where bridges stand, which of them
cross, what hangs together). `notation` holds the words of moves, options and positions;
`view` draws text, `picture` the picture.
"""

from sarsen.games.visavis import view
from sarsen.games.visavis.rules import GAME

__all__ = ["GAME", "view"]
