"""Visavis: build bridges between your pegs, and join your two sides first.

Open `rules` first (turns, swaps, victory), then `board` (where bridges stand and which
cross) and `chains` (what hangs together). `options`, `notation`, `refusals` and `lines`
hold the words of challenges, of moves, of errors and of written positions; `view`,
`text`, `picture`, `plane` and `words` what a position looks and sounds like.
"""

from sarsen.games.visavis import view
from sarsen.games.visavis.rules import GAME

__all__ = ["GAME", "view"]
