"""Positions for the tests of Gyges, from a diagram as the text board draws it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sarsen.games.gyges import GAME
from sarsen.games.gyges.position_line import write_rings
from sarsen.games.gyges.rules import GygesPosition

Stand = Callable[..., GygesPosition]


def stand(side: str, diagram: str, *earlier: str) -> GygesPosition:
    """Return the position of six rows, row 6 first, with what stood earlier as written lines."""
    rows = [line.split()[:6] for line in diagram.strip().splitlines()]
    digits = [slot.replace(".", "0") for row in reversed(rows) for slot in row]
    rings = bytes(int(digit) for digit in digits) + bytes(2)
    return GAME.read(" ".join([side, write_rings(rings), *earlier]))


@pytest.fixture(name="stand")
def stand_fixture() -> Stand:
    return stand


@pytest.fixture
def ready() -> GygesPosition:
    """The position after both set-ups of the sample game."""
    return GAME.read("S 231123/f/f/f/f/321123")
