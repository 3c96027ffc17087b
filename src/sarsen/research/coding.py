"""Find the coding of a position; docs/research.md lists those of our games.

A game without one has its moves numbered by their place in the list. Such a number means
another move in every position. It serves to play, and hardly to learn.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from sarsen.core.coding import Coding, Mark
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, own_module

MOST_MOVES = 4096


def coding_of(position: AnyPosition) -> Coding:
    """Return the coding for the game and the options of a position."""
    name = own_module(position.game, "coding")
    if name is None:
        return _general_coding()
    found: Coding = importlib.import_module(name).coding(position)
    return found


def _general_coding() -> Coding:
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
            hint="A module `coding` in the game's package gives its moves numbers of their own.",
        )
    return place


def _no_marks(position: AnyPosition) -> Iterable[Mark]:
    return ()


def _no_levels(position: AnyPosition) -> tuple[float, ...]:
    return ()
