"""Tryout: three stones in a row win. Open `rules.py` first."""

from . import view
from .rules import GAME

__all__ = ["GAME", "view"]
