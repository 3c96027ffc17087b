"""Positions of Visavis as lines: written, read back, and refused when damaged."""

from __future__ import annotations

import random

import pytest

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games.visavis import GAME
from sarsen.games.visavis.position_line import MAX_LINE


def written(moves: str, options: str) -> str:
    return replayed(GAME.start(options), moves.split()).write()


def test_line_is_short_and_readable() -> None:
    assert written("", "-size=5") == "-size=5;;5/5/5/5/5"
    assert written("D4 D1", "-size=5") == "-size=5;;3x1/5/5/3o1/5"
    assert written("C3 swap D1", "-size=5 -swap") == "-size=5 -swap;swapped;3x1/5/2o2/5/5"


@pytest.mark.parametrize("options", ["-size=5", "-size=9 -swap", "-size=15", "", "-swap"])
def test_whole_games_read_back_equal(options: str) -> None:
    rng = random.Random(options)
    position = GAME.start(options)
    while position.outcome() is None:
        position = position.play(rng.choice(position.legal_moves()))
        line = position.write()
        assert len(line) <= MAX_LINE
        assert GAME.read(line) == position
        assert GAME.read(line).legal_moves() == position.legal_moves()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "three fields"),
        ("-size=5;5/5/5/5/5", "three fields"),
        ("-size=6;;6/6/6/6/6/6", "-size=6"),
        ("-size=5 -druids;;5/5/5/5/5", "-druids"),
        ("-size=5;;5/5/5/5", "5 rows"),
        ("-size=5;;5/5/5/5/5/5", "5 rows"),
        ("-size=5;;5/5/5/5/4", "as this server writes"),
        ("-size=5;;5/5/5/5/6", "as this server writes"),
        ("-size=5;;5/5/5/99o/5", "too long"),
        ("-size=5;;5/5/5/3o1oooooooooooooooooooooooooooooo/5", "too long"),
        ("-size=5;;5/5/5/0/5", "no row"),
        ("-size=5;;5/5/5//5", "no row"),
        ("-size=5;;5/5/5/14/5", "as this server writes"),
        ("-size=5;;5/5/5/3O1/5", "no row"),
        ("-size=5;;5/5/5/3 o1/5", "no row"),
        ("-size=5;;5/5/5/²/5", "no row"),
        ("-size=5;;5/5/5/2o2/5", "as this server writes"),
        ("-size=5;;5/5/5/3x1/5", "take turns"),
        ("-size=5;;5/5/2o2/1o1o1/5", "take turns"),
        ("-size=5;;5/5/5/1oxo1/5", "cross"),
        ("-size=5;;5/5/5/3ox/5", "cross"),
        ("-size=5;;3x1/5/5/1o1o1/3x1", "a side had won"),
        ("-size=5;swapped;5/5/5/3o1/5", "swapped"),
        ("-size=5 -swap;swapped;5/5/5/5/5", "swapped"),
        ("-size=5 -swap;perhaps;5/5/5/3o1/5", "as this server writes"),
        (" -size=5;;5/5/5/5/5", "as this server writes"),
        ("-swap -size=5;;5/5/5/5/5", "as this server writes"),
        ("-size=25;;" + "/".join(["25"] * 25), "as this server writes"),
        ("x" * 100_000, "longer than"),
    ],
)
def test_damaged_line_is_refused_with_its_fault(line: str, reason: str) -> None:
    with pytest.raises(UserError) as refusal:
        GAME.read(line)
    assert refusal.value.code == "visavis.unreadable-position"
    assert reason in refusal.value.text
    GAME.read(refusal.value.hint.removeprefix("For example: "))


def test_lines_with_characters_exchanged_never_raise_anything_else() -> None:
    rng = random.Random(4)
    line = written("D4 G8 F6 D1 B2 F7", "-size=9 -swap")
    for _ in range(3000):
        at = rng.randrange(len(line))
        spoilt = line[:at] + rng.choice("0123456789ox/;- aswpd=") + line[at + rng.randrange(3) :]
        try:
            position = GAME.read(spoilt)
        except UserError:
            continue
        assert position.write() == spoilt
        assert bool(position.legal_moves()) == (position.outcome() is None)
        drawing.text(position)
        drawing.scene(position)
        drawing.describe(position)
