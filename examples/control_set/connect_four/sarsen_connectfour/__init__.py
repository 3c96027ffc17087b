"""Connect Four, by Howard Wexler (1974): four in a row; stones fall down."""

from sarsen_connectfour.rules import GAME

__all__ = ["GAME"]
