"""Boards as PNG pictures, for programs that take no SVG."""

from __future__ import annotations

from pathlib import Path

from sarsen.drawing.palette import LIGHT


def png(svg: str, width: int) -> bytes:
    """Draw an SVG document as PNG on its own paper."""
    # Not above: whoever only plays needs no painter.
    import font_source_sans_pro
    import resvg_py

    fonts = Path(font_source_sans_pro.font_directory)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background=LIGHT["paper"],
        skip_system_fonts=True,
        # Named one by one: without its fonts the library leaves texts out in silence.
        font_files=[str(fonts / f"SourceSansPro-{weight}.ttf") for weight in ("Regular", "Bold")],
        font_family="Source Sans Pro",
        sans_serif_family="Source Sans Pro",
    )
