"""`sarsen solve`: what small boards are worth, from the command line."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from sarsen.games import load
from sarsen.games.druid.proof import first_stones, hold
from sarsen.games.vasco.proof.forced_loop import lines
from sarsen.server.command import main


def sarsen(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_druid_on_3_x_3_is_a_draw_whatever_v_opens_with() -> None:
    code, printed = sarsen("solve", "druid", "-size=3")
    assert code == 0
    for stone, moves in (("a1", 3), ("a2", 3), ("b1", 2)):
        within = f"After {stone}, V holds H off for ever within {moves} own moves and never loses"
        assert within in printed
    assert "nothing is proved" not in printed
    assert [line for line in printed.splitlines() if line.startswith("So")] == [
        "So with best play the game is a draw after a1.",
        "So with best play the game is a draw after b1.",
        "So with best play the game is a draw after a2.",
        "So with best play the game is a draw, whatever V opens with.",
    ]


def test_a_draw_is_claimed_only_when_every_first_stone_was_proved() -> None:
    _, printed = sarsen("solve", "druid", "-size=3", "--moves", "4")
    assert "So with best play the game is a draw after b1." in printed
    assert "whatever V opens with" not in printed


def test_one_opening_of_druid_is_told_to_a_program() -> None:
    code, printed = sarsen("solve", "druid", "-size=3", "-nogaps", "--opening", "a1", "--json")
    told = json.loads(printed)
    assert (code, told["options"]) == (0, "-size=3 -nogaps")
    found = [(one["opening"], one["side"], one["moves"], one["searched"]) for one in told["found"]]
    assert found == [("a1", "V", 3, 3), ("a1", "H", 5, 5)]


def test_a_search_that_runs_out_of_time_claims_nothing() -> None:
    found = hold("-size=3", "a2", 0, 60, seconds=0.0)
    assert (found.moves, found.searched) == (None, 0)
    assert "nothing is proved" in found.sentence


@pytest.mark.parametrize("size", [3, 4, 7])
def test_first_stones_mirror_to_every_legal_one(size: int) -> None:
    start = load("druid").start({"size": size})
    mirrored = set()
    for text in first_stones(start):
        file, rank = ord(text[0]) - ord("a"), int(text[1:]) - 1
        for x in (file, size - 1 - file):
            for y in (rank, size - 1 - rank):
                mirrored.add(f"{chr(ord('a') + x)}{y + 1}")
    assert mirrored == {start.format(move) for move in start.legal_moves()}


@pytest.mark.parametrize("size", [47, 54, 600])
def test_a_large_pool_of_vasco_is_answered_by_the_lines_of_the_proof(size: int) -> None:
    code, printed = sarsen("solve", "vasco", f"-size={size}", "--time", "0.01")
    first, *rest = printed.splitlines()
    assert (code, first.partition(":")[0]) == (0, f"With {size} tiles X wins")
    position = load("vasco").start({"size": size})
    line = first.partition(": ")[2].split()
    for text in line:
        position = position.play(position.parse(text))
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (1, rest[0])
    assert len(line) <= 10
    assert [tuple(each.split()) for each in rest if each.startswith("  ")] == list(lines())


def test_a_pool_of_46_tiles_is_searched() -> None:
    told = json.loads(sarsen("solve", "vasco", "-size=46", "--time", "0.05", "--json")[1])
    assert (told["winner"], told["answers"]) == ("?", [])


def test_a_pool_of_vasco_is_solved_with_a_line_of_best_play() -> None:
    code, printed = sarsen("solve", "vasco", "-size=9")
    assert code == 0
    assert printed.startswith("With 9 tiles X wins: a1 ")
    told = json.loads(sarsen("solve", "vasco", "-size=7", "--json")[1])
    assert (told["winner"], told["score"]) == ("draw", 0.5)


def test_a_pool_that_takes_too_long_is_not_guessed() -> None:
    code, printed = sarsen("solve", "vasco", "-size=30", "--time", "0.05")
    assert code == 0
    assert printed.startswith("With 30 tiles nothing is proved yet.")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "game-missing"),
        (("gyges",), "nothing-to-solve"),
        (("vasco", "--moves", "3"), "not-with-vasco"),
        (("vasco", "-size=3"), "option-range"),
        (("druid", "-size=3", "--opening", "b2"), "druid.opening"),
        (("druid", "-size=3", "a2"), "too-many-words"),
        (("visavis", "--certificates", "folder"), "nothing-to-solve"),
        (("druid", "-size=3", "--certificates", "folder", "--moves", "3"), "whole-certificate"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_a_hint(words: tuple[str, ...], code: str) -> None:
    status, printed = sarsen("solve", *words)
    assert status == 2
    assert f"[{code}]" in printed


@pytest.mark.parametrize("typed", [("-size", "12"), ("--size", "12")])
def test_an_option_apart_from_its_value_is_hinted_together(typed: tuple[str, str]) -> None:
    status, printed = sarsen("solve", "vasco", *typed)
    assert status == 2
    assert printed.splitlines()[-1].strip() == "sarsen solve vasco -size=12"
    assert sarsen("solve", "vasco", "-size=12")[0] == 0
