"""Pits and seeds: every door shows the same counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from sarsen.drawing.boards import PitBoard, pit_board
from sarsen.drawing.pits import PitView
from sarsen.drawing.scene import Circle, Label, Polygon
from sarsen.games import load

BOARDS = {
    "Kalah": pit_board(6),
    "without stores": pit_board(7, has_stores=False),
    "four rows": pit_board(8, 4),
    "one pit": pit_board(1),
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
LEAST = 40.0  # units across, as in board kits


@dataclass(frozen=True)
class Sown:
    """A position of nothing but counts; the rest is that of a new game of Visavis."""

    counts: dict[str, int]
    last: str = ""
    start: Any = field(default_factory=lambda: load("visavis").start())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.start, name)


def view(board: PitBoard) -> PitView:
    return PitView(lambda _: board, lambda one: one.counts, lambda one: one.last)


def counted(board: PitBoard) -> dict[str, int]:
    """Return another number for each pit."""
    return {name: number for number, name in enumerate(board.names)}


@every_board
def test_text_picture_table_and_words_show_the_same_counts(board: PitBoard) -> None:
    counts = counted(board)
    shown = Sown(counts)
    words = view(board).describe(shown)
    numbers = [word for word in view(board).text(shown).split() if word.isdigit()]
    for count in counts.values():
        assert str(count) in numbers
    scene = view(board).scene(shown)
    labels = {one.spot: one.text for one in scene.shapes if isinstance(one, Label) and one.spot}
    cells = {cell.spot: cell.words for row in view(board).cells(shown).rows for cell in row.cells}
    assert labels == cells == {name: str(count) for name, count in counts.items()}
    assert all(f"{pit} {counts[pit]}" in words for pit in board.pits)
    assert all(f"store {counts[store]}" in words for store in board.stores)


@every_board
def test_each_pit_is_a_spot_with_its_seeds_and_large_enough_to_point_at(board: PitBoard) -> None:
    scene = view(board).scene(Sown(dict.fromkeys(board.names, 3)))
    for name in board.names:
        seeds = [one for one in scene.shapes if isinstance(one, Circle) and one.radius < 10]
        assert len([seed for seed in seeds if seed.spot == name]) == 3
        (first, *_) = (one for one in scene.shapes if one.spot == name)
        assert isinstance(first, Polygon)
        assert all(max(axis) - min(axis) >= LEAST for axis in zip(*first.points, strict=True))


@every_board
@pytest.mark.parametrize("count", [1, 40, 400])
def test_seeds_lie_within_the_picture_however_many_there_are(board: PitBoard, count: int) -> None:
    scene = view(board).scene(Sown(dict.fromkeys(board.names, count)))
    for shape in scene.shapes:
        if isinstance(shape, Circle):
            assert shape.radius <= shape.x <= scene.width - shape.radius
            assert shape.radius <= shape.y <= scene.height - shape.radius


def test_text_has_stores_between_the_rows_and_the_last_move_in_brackets() -> None:
    shown = Sown({"a1": 4, "b1": 0, "a2": 11, "b2": 2, "left": 3, "right": 20}, "b1")
    assert view(pit_board(2)).text(shown).splitlines() == [
        "    2    11   2",
        "X   3            20  O",
        "    1     4  (0)",
        "          a   b",
    ]


def test_bare_text_has_pits_stores_and_their_sides_and_no_coordinates() -> None:
    shown = Sown({"a1": 4, "b1": 0, "a2": 11, "b2": 2, "left": 3, "right": 20}, "b1")
    assert view(pit_board(2)).bare_text(shown).splitlines() == [
        "         11   2",
        "X   3            20  O",
        "          4  (0)",
    ]


def test_rows_and_stores_belong_to_the_sides_that_sit_before_them() -> None:
    board = pit_board(2, 4)
    owners = {name: board.side_of(name) for name in board.names}
    assert [name for name, side in owners.items() if side == 0] == ["a2", "b2", "a1", "b1", "right"]


def test_count_that_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match=r"needs a number .* besides: left, z1"):
        view(pit_board(1)).text(Sown({"a1": 1, "a2": 1, "right": 0, "z1": 4}))


def test_odd_number_of_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="rows"):
        pit_board(6, 3)
