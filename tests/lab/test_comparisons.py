"""What `sarsen check` compares: symmetries, a fresh process, two orders of the same moves."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from lab.planted_faults import SYMMETRIES, Plant, checked, findings, planted
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import _views, completed
from sarsen.games import load
from sarsen.lab.checking.comparisons import orders
from sarsen.lab.checking.comparisons.orders import view_tells_the_sides_apart
from sarsen.lab.checking.walks import unnoted


@pytest.mark.ci
def test_symmetries_that_hold_are_no_fault(tmp_path: Path) -> None:
    declared = f"{SYMMETRIES}GAME: Game = RecordedGame(INFO, HexPosition, "
    # The second one writes moves in another way, which `parse` reads.
    declared += "symmetries={'turned': turned, 'loud': lambda move: turned(move).upper()}, "
    declared += "exchanges={'transposed': transposed})"
    old = "GAME: Game = RecordedGame(INFO, HexPosition)"
    folder = planted(tmp_path / "planted", Plant("", "hex", old, declared))
    assert not {"symmetry", "symmetry-with-options", "exchange"} & {
        one["code"] for one in checked(folder)["findings"]
    }


def test_column_that_cannot_be_typed_is_no_hidden_state(tmp_path: Path) -> None:
    plant = Plant("", "hex", '(r"[a-z][1-9]', '(r"[abd-z][1-9]')
    found = findings(planted(tmp_path / "planted", plant), "refused-itself", 1.5)
    assert "refused-itself" in found
    assert "hidden-state" not in found


@pytest.mark.parametrize(
    ("drawings", "forbidden", "faults"),
    [
        ("text scene", 2, []),
        ("text", 2, [True]),
        ("", 2, [True]),
        # As many moves as here could be forbidden by a rule about repetition.
        ("", 1000, [False]),
    ],
)
def test_sides_that_look_alike_are_a_fault_unless_history_may_be_the_reason(
    drawings: str, forbidden: int, faults: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("druid")
    own = _views["druid"]
    text = own.text if "text" in drawings else lambda *_: "one board"
    scene = own.scene if "scene" in drawings else lambda *_: Scene(1, 1, "", ())
    monkeypatch.setitem(_views, "druid", completed(SimpleNamespace(text=text, scene=scene)))
    monkeypatch.setattr(orders, "MAX_FORBIDDEN", forbidden)
    found = list(view_tells_the_sides_apart(game, math.inf, unnoted))
    assert [one.code for one in found] == ["sides-look-alike"] * len(faults)
    assert [one.is_error for one in found] == faults
