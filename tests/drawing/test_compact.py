"""Boards in few lines: every game fits, and the last move is among what is drawn."""

from __future__ import annotations

import random

import pytest

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.drawing.view import window
from sarsen.games import load, names

ROWS, COLUMNS = 18, 80


@pytest.mark.parametrize("name", names())
def test_a_board_of_the_usual_size_fits_during_a_whole_game(name: str) -> None:
    chance = random.Random(3)
    position: AnyPosition = load(name).start()
    for _ in range(60):
        lines = drawing.compact_text(position, ROWS, COLUMNS).splitlines()
        assert len(lines) <= ROWS
        assert max(map(len, lines)) <= COLUMNS
        if position.outcome() is not None:
            break
        position = position.play(chance.choice(position.legal_moves()))


def test_a_board_that_fits_is_drawn_as_usual() -> None:
    for name in names():
        position = load(name).start()
        assert drawing.compact_text(position, 60, COLUMNS) == drawing.text(position)


@pytest.mark.parametrize(("move", "rows"), [("B2", (1, 15)), ("M13", (6, 20)), ("V24", (11, 25))])
def test_visavis_shows_the_rows_around_the_last_bridge(move: str, rows: tuple[int, int]) -> None:
    position = replayed(load("visavis").start(), [move])
    lines = drawing.compact_text(position, ROWS, COLUMNS).splitlines()
    assert lines[-1] == f"Rows {rows[0]} to {rows[1]} of 25."
    # Each row as in the whole drawing.
    whole = drawing.text(position).splitlines()
    assert lines[1:-2] == whole[rows[0] + 1 : rows[1] + 2]
    # The letters stand in line with the columns, as above and below the whole board.
    assert lines[0] == " " * (rows[0] - 1) + whole[1]
    assert lines[-2] == whole[-2][25 - rows[1] :]


def test_vasco_shows_the_tile_that_was_laid_last() -> None:
    chance = random.Random(5)
    position: AnyPosition = load("vasco").start("-size=200")
    while position.outcome() is None:
        before, position = position, position.play(chance.choice(position.legal_moves()))
    drawn = drawing.compact_text(before, 10, 30)
    assert drawn.endswith("This is the part around the last move.")
    assert "Left, right and level edge: a ox*  b o*x" in drawn
    # A position that was written down does not know its last move.
    read = before.game.read(before.write())
    assert drawing.compact_text(read, 10, 30) != drawn


def test_window_lies_within_the_whole() -> None:
    assert window(1, 5, range(1, 26)) == range(1, 6)
    assert window(25, 5, range(1, 26)) == range(21, 26)
    assert window(13, 5, range(1, 26)) == range(11, 16)
    assert window(2, 9, range(1, 4)) == range(1, 4)
