"""Druid: sarsens and lintels, V from top to bottom against H from left to right.

Open `rules` first (turns, endings), then `board` (what may stand on what). `notation` holds
the words of moves, `refusals` those of errors; `view` draws text, `picture` and `plan` pictures.
"""

from sarsen.games.druid import view as view
from sarsen.games.druid.rules import GAME

__all__ = ["GAME"]
