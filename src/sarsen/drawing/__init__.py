"""Boards as text and as neutral shapes, and the one SVG writer for all games.

Open `view` first (what a game provides), then `scene` (the shapes) and `svg`; `cells`
is a board as a table in words.
Standard library only; knows no game.
"""

from sarsen.core.renamed import keep_module
from sarsen.drawing.view import (
    View,
    bare_text,
    compact_text,
    describe,
    register,
    scene,
    text,
    view_of,
)

__all__ = ["View", "bare_text", "compact_text", "describe", "register", "scene", "text", "view_of"]

for _module, _names in (
    ("plan", {"ViewWithPlan": "view.View", "plan": "view.plan"}),
    ("prompts", {"ViewWithPrompts": "view.View", "prompts": "taps.prompts"}),
    ("thumbnail", {name: f"svg.{name}" for name in ("SIDE", "THINNEST", "thumbnail")}),
):
    keep_module(
        f"{__name__}.{_module}", {name: f"{__name__}.{place}" for name, place in _names.items()}
    )
