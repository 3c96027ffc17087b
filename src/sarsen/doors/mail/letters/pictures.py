"""Boards as PNG pictures, since many mail programs show no SVG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import font_source_sans_pro
import resvg_py
from django.conf import settings

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing import scene
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Scene
from sarsen.drawing.svg import svg
from sarsen.language.translating import spoken
from sarsen.services.board_cache import BoardCache

WIDTH = 600  # pixels; mail programs scale it down to the window


@dataclass(frozen=True)
class Drawn:
    """One position as a letter shows it; the picture is PNG, or None."""

    text: str
    words: str
    picture: bytes | None


def draw(position: AnyPosition, boards: BoardCache) -> Drawn:
    """Draw a position once for all letters of a batch that show it."""

    def drawn() -> tuple[AnyPosition, Drawn]:
        picture = draw_picture(scene(position)) if settings.SARSEN_MAIL_PICTURES else None
        # With the position, so that its identity is not given again.
        return position, Drawn(drawing.text(position), drawing.describe(position), picture)

    # By identity: equal positions may differ in what their last move is marked by.
    return boards.once(("drawn", id(position), spoken()), drawn)[1]


def draw_picture(drawn: Scene) -> bytes:
    """Draw a scene as PNG, on its own paper so that dark themes do no harm."""
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
