"""Boards as PNG pictures, since many mail programs show no SVG."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import font_source_sans_pro
import resvg_py

from sarsen.core.game import AnyPosition
from sarsen.drawing import scene
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Scene
from sarsen.drawing.svg import svg

WIDTH = 600  # pixels; mail programs scale it down to the window


def picture(position: AnyPosition) -> bytes:
    """Draw a position as PNG, on its own paper so that dark themes do no harm."""
    return picture_of(scene(position))


def picture_of(drawn: Scene) -> bytes:
    """Draw a scene as PNG in the same way."""
    return _render(svg(drawn))


@lru_cache(maxsize=64)
def _render(drawn: str) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=drawn,
        width=WIDTH,
        background=LIGHT["paper"],
        skip_system_fonts=True,
        font_files=_fonts(),
        font_family="Source Sans Pro",
        sans_serif_family="Source Sans Pro",
    )


@lru_cache(maxsize=1)
def _fonts() -> list[str]:
    # Named one by one: without its fonts the library leaves texts out in silence.
    folder = Path(font_source_sans_pro.font_directory)
    return [str(folder / f"SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")]
