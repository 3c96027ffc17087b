"""Playthroughs: every game behaves as recorded, to the character."""

from __future__ import annotations

import difflib

import pytest

import golden
from sarsen.games import find

MAX_BYTES = 300_000  # all playthroughs together: readers of a change must be able to read it


@pytest.mark.parametrize(("name", "options"), golden.cases(), ids=lambda text: text or "defaults")
def test_playthrough_is_as_recorded(name: str, options: str) -> None:
    path = golden.path_of(name, options)
    if not path.is_file():
        pytest.fail(f"{path.name} is not recorded yet: run `make golden` and look at it.")
    recorded = path.read_text(encoding="utf-8").splitlines()
    played = golden.playthrough(find()[name], options).splitlines()
    if played != recorded:
        changes = difflib.unified_diff(recorded, played, "recorded", "played now", n=1, lineterm="")
        shown = "\n".join(list(changes)[:40])
        pytest.fail(
            f"{path.name} has changed. If it was meant to, run `make golden`, look at the "
            f"difference, and say in the commit why.\n{shown}"
        )


def test_every_recorded_file_belongs_to_a_game() -> None:
    expected = {golden.path_of(*case).name for case in golden.cases()}
    assert {path.name for path in golden.PLAYTHROUGHS.glob("*.txt")} <= expected


def test_playthroughs_stay_small() -> None:
    sizes = [path.stat().st_size for path in golden.PLAYTHROUGHS.glob("*.txt")]
    assert sum(sizes) <= MAX_BYTES


def test_playing_twice_gives_the_same_record() -> None:
    game = find()["druid"]
    assert golden.playthrough(game, "-size=3") == golden.playthrough(game, "-size=3")


def test_playthrough_shows_board_moves_effects_and_end() -> None:
    record = golden.playthrough(find()["druid"], "-size=3")
    for part in (
        "Druid -size=3, rules version",
        "written: -size=3;",
        "legal moves:",
        "+-----+",
        "in words: V",
    ):
        assert part in record
    assert "\nply 1: seat 0 as V plays " in record
