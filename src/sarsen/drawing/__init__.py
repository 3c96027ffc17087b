"""Boards as text and as neutral shapes, and the one SVG writer for all games.

Open `view` first (what a game provides), then `scene` (the shapes) and `svg`; `cells`
is a board as a table in words.
Standard library only; knows no game.
"""

from sarsen.drawing.view import View, compact_text, describe, register, scene, text, view_of

__all__ = ["View", "compact_text", "describe", "register", "scene", "text", "view_of"]
