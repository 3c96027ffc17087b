"""Nim: take sticks from one row; who takes the last stick wins. Open `rules.py` first."""

from sarsen_nim import view
from sarsen_nim.rules import GAME

__all__ = ["GAME", "view"]
