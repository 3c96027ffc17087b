"""Kalah, by William Champion (1940): sow your seeds, and bring most of them into your store."""

from sarsen_kalah import view
from sarsen_kalah.rules import GAME

__all__ = ["GAME", "view"]
