"""Rings inside each other, too fine for characters: one disc with their number on it."""

from __future__ import annotations

from collections.abc import Sequence

from sarsen.drawing.scene import Circle, Label, Shape

_Ring = tuple[float, float, str, str]


def counted(shapes: Sequence[Shape], finest: float, smallest: float) -> tuple[Shape, ...]:
    """Return the shapes with the outermost of such rings only, and how many there are.

    Args:
        finest: Units of the scene; a ring whose band is wider can be seen as it is.
        smallest: The least radius of a disc with a number on it.
    """
    rings: dict[_Ring, list[Circle]] = {}
    for shape in shapes:
        if isinstance(shape, Circle) and _is_band(shape, finest):
            rings.setdefault(_kind(shape), []).append(shape)
    # A single role counts only where some of its rings have others inside them.
    counted_roles = {kind[2:] for kind, ones in rings.items() if len(ones) > 1}
    found: list[Shape] = []
    for shape in shapes:
        ones = rings.get(_kind(shape), []) if isinstance(shape, Circle) else []
        if not ones or not isinstance(shape, Circle) or _kind(shape)[2:] not in counted_roles:
            found.append(shape)
        elif shape is ones[0]:
            radius = max(smallest, *(one.radius for one in ones))
            found.append(Circle(shape.x, shape.y, radius, shape.outline, spot=shape.spot))
            number = str(len(ones))
            found.append(
                Label(shape.x, shape.y, number, 12, shape.role, bold=True, spot=shape.spot)
            )
    return tuple(found)


def _is_band(shape: Circle, finest: float) -> bool:
    return bool(shape.role and shape.outline) and 0 < shape.width < finest


def _kind(shape: Circle) -> _Ring:
    return shape.x, shape.y, shape.role, shape.outline
