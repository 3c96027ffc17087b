"""Dots and Boxes, described by Édouard Lucas (1889): draw the last line around a box."""

from sarsen_dots import view
from sarsen_dots.rules import GAME

__all__ = ["GAME", "view"]
