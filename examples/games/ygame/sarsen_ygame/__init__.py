"""Y, by Piet Hein (1942): join your two edges by a chain of stones."""

from sarsen_ygame import view
from sarsen_ygame.rules import GAME

__all__ = ["GAME", "view"]
