"""Druid: sarsens and lintels, V from top to bottom against H from left to right.

Open `rules.py` first (turns, endings), then `monument.py` (what may stand on what).
`notation.py`, `refusals.py` and `lines.py` hold the words of moves, of errors and of
written positions; `view.py`, `text.py` and `picture.py` what a position looks like.
"""

from sarsen.games.druid import view as view
from sarsen.games.druid.rules import GAME

__all__ = ["GAME"]
