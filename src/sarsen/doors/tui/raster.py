"""A scene as samples, of which a character shows a block.

A character is four samples wide and eight high, so that samples are about square. resvg draws
the scene's SVG without smoothing, each role in a grey of its own, which is then its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO

import resvg_py
from PIL import Image

from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.drawing.svg import svg

ACROSS, DOWN = 4, 8  # samples of a character
THINNEST = 1.2  # samples; a finer stroke would be seen here and lost there
SAMPLE_OFFSET = 0.1  # samples by which all is moved: no edge lies on a border of two samples
MAX_NUMBERS = 255  # a place is one byte, and 0 is none
CLEAR = 0  # where nothing was drawn
ROLES = ("", *LIGHT)  # by number


@dataclass(frozen=True)
class Transform:
    """Turn the units of a scene into samples: scale, then shift."""

    across: float
    down: float
    left: float
    top: float

    def point(self, point: Point) -> Point:
        """Return a point in samples."""
        return point[0] * self.across + self.left, point[1] * self.down + self.top

    @property
    def stroke(self) -> float:
        """Samples a unit, for the width of strokes."""
        return (self.across + self.down) / 2


class Raster:
    """The samples of some columns and rows of characters; labels are no part of them."""

    def __init__(
        self,
        shapes: Iterable[Shape],
        transform: Transform,
        columns: int,
        rows: int,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        """Draw shapes from back to front.

        Args:
            numbers: By role, from 1 to `MAX_NUMBERS`; None for those of `ROLES`.
        """
        if numbers is None:
            numbers = {role: number for number, role in enumerate(ROLES) if role}
        self._width = columns * ACROSS
        picture = _document(shapes, transform, self._width, rows * DOWN, numbers)
        png = resvg_py.svg_to_bytes(
            svg_string=picture, shape_rendering="crisp_edges", skip_system_fonts=True
        )
        with Image.open(BytesIO(png)) as image:
            self._samples = image.getchannel("R").tobytes()

    def block(self, column: int, row: int) -> bytes:
        """Return the samples of one character, line by line."""
        begin = row * DOWN * self._width + column * ACROSS
        starts = range(begin, begin + DOWN * self._width, self._width)
        return b"".join(self._samples[start : start + ACROSS] for start in starts)


def _document(
    shapes: Iterable[Shape], at: Transform, width: int, height: int, numbers: Mapping[str, int]
) -> str:
    """Write the SVG whose pixels are the samples."""
    thinnest = THINNEST / at.stroke
    widened = tuple(_widened(shape, thinnest) for shape in shapes if not isinstance(shape, Label))
    greys = {role: "#" + 3 * f"{number:02x}" for role, number in numbers.items()}
    left, top = (-at.left - SAMPLE_OFFSET) / at.across, (-at.top - SAMPLE_OFFSET) / at.down
    size = width / at.across, height / at.down
    # From the corner that is seen; what is drawn left of it or above has nowhere to be.
    inner = svg(Scene(left + size[0], top + size[1], "", widened), greys)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{left} {top} {size[0]} {size[1]}" preserveAspectRatio="none">{inner}</svg>'
    )


def _widened(shape: Polygon | Circle | Stroke | Arc, thinnest: float) -> Shape:
    """Return a shape whose strokes are seen at every place."""
    return replace(shape, width=max(shape.width, thinnest)) if shape.width else shape
