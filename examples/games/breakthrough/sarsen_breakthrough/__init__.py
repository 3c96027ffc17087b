"""Breakthrough, by Dan Troyka (2000): be the first to reach the far row."""

from sarsen_breakthrough import view
from sarsen_breakthrough.rules import GAME

__all__ = ["GAME", "view"]
