"""Amazons, by Walter Zamkauskas (1988): a player who cannot move loses."""

from sarsen_amazons import view
from sarsen_amazons.rules import GAME

__all__ = ["GAME", "view"]
