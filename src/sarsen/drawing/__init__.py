"""Boards as text and as neutral shapes, and the one SVG writer for all games.

Open `view` first (what a game provides), then `scene` (the shapes) and `svg`; `cells`
is a board as a table in words.
Standard library only; knows no game.
"""

from sarsen.core.renamed import keep_module
from sarsen.drawing.view import View, compact_text, describe, register, scene, text, view_of

__all__ = ["View", "compact_text", "describe", "register", "scene", "text", "view_of"]

_VIEW, _TAPS, _SVG = "sarsen.drawing.view", "sarsen.drawing.taps", "sarsen.drawing.svg"
for _module, _place, _names in (
    ("plan", _VIEW, ("ViewWithPlan", "plan")),
    ("pointing", _TAPS, ("SAME_SIZE", "Sign", "pointed")),
    ("prompts", _TAPS, ("ViewWithPrompts", "prompts")),
    ("thumbnail", _SVG, ("SIDE", "THINNEST", "thumbnail")),
):
    keep_module(f"{__name__}.{_module}", {name: f"{_place}.{name}" for name in _names})
