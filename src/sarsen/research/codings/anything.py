"""A game without a coding of its own: moves are numbered by their place in the list.

Such a number means another move in every position. It serves to play, and hardly to learn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.research.codings import Coding, Mark

MOST_MOVES = 4096


def coding(position: AnyPosition) -> Coding:
    """Return the coding of any game."""
    return Coding(
        actions=MOST_MOVES,
        longest=None,
        planes=(),
        levels=(),
        rows=0,
        columns=0,
        number=_number,
        marks=_no_marks,
        level=_no_levels,
    )


def _number(position: AnyPosition, move: Any) -> int:
    place = list(position.legal_moves()).index(move)
    if place >= MOST_MOVES:
        raise UserError(
            f"{position.game.info.title} has more than {MOST_MOVES} moves here.",
            code="too-many-actions",
            hint="sarsen.research.codings.register gives a game numbers of its own.",
        )
    return place


def _no_marks(position: AnyPosition) -> Iterable[Mark]:
    return ()


def _no_levels(position: AnyPosition) -> tuple[float, ...]:
    return ()
