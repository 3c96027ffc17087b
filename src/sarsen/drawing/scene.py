"""Neutral shapes: what a board looks like, without saying in which colours or format.

Coordinates are in units of the scene, x to the right and y down. A `role` is a
name of `palette`: what a shape is, never a colour. A `spot` is a name a player
can point at (`c3`); several shapes may carry the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sarsen.core.renamed import renamed

Point = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    """A closed shape through the points, filled, outlined when `width` is above 0."""

    points: tuple[Point, ...]
    role: str
    outline: str = ""
    width: float = 0.0
    spot: str = ""
    is_unseen: bool = False  # of the colour below it, and only there to be pointed at
    is_tray: bool = False  # among pieces to choose from, for the side to move alone


@dataclass(frozen=True)
class Circle:
    """A disc, outlined when `width` is above 0; only the ring when `role` is empty."""

    x: float
    y: float
    radius: float
    role: str
    outline: str = ""
    width: float = 0.0
    spot: str = ""
    is_tray: bool = False  # among pieces to choose from, for the side to move alone


@dataclass(frozen=True)
class Stroke:
    """A stroke through the points, with round ends."""

    points: tuple[Point, ...]
    role: str
    width: float
    dashed: bool = False
    spot: str = ""


@dataclass(frozen=True)
class Arc:
    """A stroke along a circle from one point to another, the short way round.

    `bulge` is +1 when it turns clockwise on the screen from start to end, -1 otherwise.
    """

    start: Point
    end: Point
    radius: float
    role: str
    width: float
    bulge: Literal[1, -1] = 1
    spot: str = ""


@dataclass(frozen=True)
class Label:
    """A short text; (x, y) is the middle of its height, and its anchor sideways."""

    x: float
    y: float
    text: str
    size: float
    role: str = "ink"
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False
    spot: str = ""
    is_coordinate: bool = False  # those who know the board may do without it
    is_tray: bool = False  # among pieces to choose from, for the side to move alone


LONG = 50  # letters of a label; so long a one belongs to one board, and is not remembered
Shape = Polygon | Circle | Stroke | Arc | Label


@dataclass(frozen=True)
class Scene:
    """A picture: its size, its one-line title, and its shapes from back to front.

    The last two only save time and bytes where a picture is made of pixels.

    Attributes:
        step: The distance between two places of the board, if they lie in a grid.
        fixed: So many of the first shapes are the empty board, the same in most positions.
    """

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]
    step: float = 0.0
    fixed: int = 0


__getattr__ = renamed(__name__, {"Line": f"{__name__}.Stroke"})
