"""`sarsen check` finds what is wrong with the numbers and planes of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sarsen.core.coding import Coding, coding_of, numbers_by_place
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.games.visavis import coding as visavis
from sarsen.lab.checking.laws import codings
from sarsen.lab.checking.walks import walk


def codes(coding: Coding, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    def given(position: AnyPosition) -> Coding:
        return coding

    monkeypatch.setattr(visavis, "coding", given)
    laws = (*codings.EVERY_PLY, *codings.SOME_PLIES)
    walks = list(walk(load("visavis"), "-size=5", seed=1, most=6))
    return {fault.code for met in walks for law in laws for fault in law(met)}


RIGHT = coding_of(load("visavis").start("-size=5"))
assert RIGHT.number is not None
NUMBER: Callable[[Any], int] = RIGHT.number


def test_right_codings_have_no_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(RIGHT, monkeypatch) == set()
    assert codes(numbers_by_place(), monkeypatch) == set()


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("action-numbers", {"number": lambda move: NUMBER(move) // 2}),
        ("action-numbers", {"actions": 20}),
        ("action-numbers", {"number_all": lambda moves: [0] * len(moves)}),
        ("action-numbers", {"legal_numbers": lambda position: [1, 2]}),
        ("action-numbers", {"move": None}),
        ("action-numbers", {"move": lambda number: "swap"}),
        ("play-legal", {"play_legal": lambda position, move: position}),
        ("planes", {"rows": 2}),
        ("planes", {"marks": lambda position: [(0, 0, 0, 2.0)]}),
        ("planes", {"level": lambda position: ()}),
    ],
)
def test_a_fault_of_a_coding_is_found(
    code: str, wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert codes(replace(RIGHT, **wrong), monkeypatch) == {code}
