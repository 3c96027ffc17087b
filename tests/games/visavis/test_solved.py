"""The first player's win, checked by two programs that know nothing of sarsen.

They are `check_visavis.py` and `check_visavis.c` in the folder `solved` of the game.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sarsen.core.referee import replayed
from sarsen.games.visavis.board import O, X, board_of
from sarsen.games.visavis.rules import GAME
from solved_claims import (
    assert_well_formed,
    checker_module,
    claims_of,
    in_c,
    in_python,
    run,
    runs_of,
)

(CLAIM,) = runs_of("visavis")


def test_the_claims_are_well_formed() -> None:
    assert_well_formed("visavis")
    for claim in claims_of("visavis"):
        game, options, *moves = claim["picture"].split()
        assert game == "visavis"
        assert replayed(GAME.start(options), moves).outcome() is not None


@pytest.mark.parametrize("size", ["5", "9", "25"])
def test_both_checkers_confirm_single_sizes_and_count_the_same(tmp_path: Path, size: str) -> None:
    code, lines = run(in_python("visavis", tmp_path), size)
    assert (code, lines[-1]) == (0, f"The first player wins on {size}.")
    for command in in_c("visavis", tmp_path):
        assert run(command, size) == (code, lines)


def test_the_checker_in_c_confirms_the_claim(tmp_path: Path) -> None:
    for command in in_c("visavis", tmp_path):
        code, lines = run(command)
        assert (code, lines[-1]) == (0, CLAIM["last"])


@pytest.mark.slow
def test_both_checkers_confirm_the_claim_and_count_the_same(tmp_path: Path) -> None:
    code, lines = run(in_python("visavis", tmp_path))
    assert (code, lines[-1]) == (0, CLAIM["last"])
    for command in in_c("visavis", tmp_path):
        assert run(command) == (code, lines)


@pytest.mark.parametrize("size", [5, 13, 25])
def test_the_checkers_bridges_and_crossings_are_those_of_the_rules(size: int) -> None:
    checked, board = checker_module("visavis").Board(size), board_of(size)
    checked.check_crossings()
    for side, own, other in ((O, checked.o, checked.x), (X, checked.x, checked.o)):
        crossed = {b.name: {x.name for x in other if b.crossed & x.bit} for b in own}
        expected = {
            name: set(board.names(board.crossed(side, bit))) for name, bit in board.named[side]
        }
        assert crossed == expected


# What to replace in Python, what in C, and what the checkers find fault with on size 5 or 7.
FAULTS = {
    "colours by column": (
        ("(cell[0] + cell[1]) % 2", "cell[0] % 2"),
        ("(i + j) % 2;", "i % 2 + 0 * j;"),
        "Size 5: D2 leaves ",
    ),
    "one colour": (
        ("(cell[0] + cell[1]) % 2", "0 * cell[0]"),
        ("(i + j) % 2;", "0 * (i + j);"),
        "Size 5: D2 leaves ",
    ),
    "mending in the colour that is in pieces": (
        ("colour_of(b.cell) != torn", "colour_of(b.cell) == torn or torn < 0"),
        (
            "colour_of(bridge->i, bridge->j) == torn)",
            "colour_of(bridge->i, bridge->j) == 1 - torn)",
        ),
        " O has no answer.",
    ),
    "mending nothing": (
        ("torn, piece = colour, web", "torn = -1"),
        ("if (torn > ODD) weave", "torn = BUILT, weave"),
        " X has won.",
    ),
    "other crossings": (
        ("(2 * column + row - 1, row)", "(2 * column + row - 3, row)"),
        ("step == -31;", "step == 31;"),
        "Size 5: a wrong crossing",
    ),
    "another cell": (
        ("(2 * i + 3, 2 * j), (2", "(2 * i + 1, 2 * j), (2"),
        ("{34, 3, 2}", "{34, 1, 2}"),
        " cell.",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_colouring_or_rule_is_found_by_both(tmp_path: Path, fault: str) -> None:
    python, c, complaint = FAULTS[fault]
    commands = [in_python("visavis", tmp_path, *python), *in_c("visavis", tmp_path, *c)]
    for command in commands:
        code, lines = run(command, "5", "7")
        assert code == 1
        assert complaint in lines[-1]


def test_a_size_without_a_claim_is_refused_by_both(tmp_path: Path) -> None:
    for command in [in_python("visavis", tmp_path), *in_c("visavis", tmp_path)]:
        assert run(command, "27")[0] != 0
        assert run(command, "4", "4")[0] != 0
