"""Hex, by Piet Hein (1942): join your two edges by a chain of stones."""

from sarsen_hex import view
from sarsen_hex.rules import GAME

__all__ = ["GAME", "view"]
