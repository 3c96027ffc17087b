"""`sarsen check` finds a `symmetry.py` that gives a position no text of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.games.visavis import symmetry
from sarsen.lab.checking.laws.positions import canonical_text_is_of_the_position
from sarsen.lab.checking.walks import walk

VISAVIS = load("visavis")


def codes() -> list[str]:
    return [
        fault.code
        for met in walk(VISAVIS, "-size=5", seed=1, most=6)
        for fault in canonical_text_is_of_the_position(met)
    ]


def test_a_right_text_has_no_fault() -> None:
    assert codes() == []


@pytest.mark.parametrize(
    "wrong",
    [lambda position: position, lambda position: "a\nb", lambda position: str(id(position))],
)
def test_what_is_no_text_of_the_position_is_found(
    wrong: Callable[[AnyPosition], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symmetry, "canonical", wrong)
    assert set(codes()) == {"canonical"}
