"""Positions as arrays of numbers, the only thing here that needs NumPy by itself."""

from __future__ import annotations

import numpy as np

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.research.codings import Coding

Planes = np.ndarray[tuple[int, int, int], np.dtype[np.float32]]


def observe(position: AnyPosition, coding: Coding) -> Planes:
    """Return the planes of a position, of shape `coding.shape`.

    Raises:
        UserError: The coding has no planes.
    """
    planes = np.zeros(coding.shape, np.float32)
    fill(planes, position, coding)
    return planes


def fill(planes: Planes, position: AnyPosition, coding: Coding) -> None:
    """Write the planes of a position into an array of the right shape."""
    check_planes(position, coding)
    planes.fill(0)
    for plane, row, column, value in coding.marks(position):
        planes[plane, row, column] = value
    for plane, value in enumerate(coding.level(position), start=len(coding.planes)):
        planes[plane] = value
    planes[-1] = position.seat


def check_planes(position: AnyPosition, coding: Coding) -> None:
    """Refuse a game that has no planes."""
    if not coding.planes:
        title = position.game.info.title
        raise UserError(
            f"{title} has no planes: nobody has said how its positions become numbers.",
            code="no-planes",
            hint="sarsen.research.codings.register tells a game's coding.",
        )
