"""Reading moves and positions of Vasco, and what refusals say."""

from __future__ import annotations

import pytest

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.referee import judge, replayed
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.rules import GAME, VascoPosition


def after(moves: str, options: str = "") -> VascoPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VascoPosition)
    return position


@pytest.mark.parametrize("text", ["c6", "C6", " c 6 ", "6c", "6 C", "c06"])
def test_letter_and_number_may_stand_either_way_round_and_apart(text: str) -> None:
    position = after("a1")
    assert position.parse(text) == Move(1, 0, "c")
    assert judge(position, text).text == "c6"


def test_first_tile_needs_no_number() -> None:
    assert judge(GAME.start(), "d").text == "d1"


@pytest.mark.parametrize("text", ["", "c", "6", "g6", "c6c", "cc6", "c-6", "c12345", "c٦", "pass"])
def test_other_texts_are_unreadable(text: str) -> None:
    with pytest.raises(UnreadableMove) as refusal:
        after("a1").parse(text)
    assert refusal.value.code == "vasco.unreadable-move"


@pytest.mark.parametrize(
    ("moves", "text", "code", "says", "hint"),
    [
        ("", "a2", "first-tile", "position 1", "For example: a1"),
        ("a1", "a13", "no-such-position", "from 1 to 12", ""),
        ("a1", "a0", "no-such-position", "from 1 to 12", ""),
        ("a1", "b5", "edges-differ", r"has \* on its right edge.*shows o", "For example: c5"),
        ("a1", "d10", "edges-differ", r"has o on its base.*shows \*", "For example: a10"),
        ("a1", "c7", "ends-alike", "to its left between two x ends", "For example: a7"),
        ("d1", "b1", "ends-alike", "below it between two x ends", "For example: a1"),
        ("d1", "d2", "not-connected", "corner only", "For example: a2"),
        (
            "e1 d8 e6 c19 c23",
            "b13",
            "unplayable-cell",
            "no tile could ever fill",
            "For example: c13",
        ),
    ],
)
def test_refusal_names_the_rule_and_what_works(
    moves: str, text: str, code: str, says: str, hint: str
) -> None:
    position = after(moves)
    with pytest.raises(IllegalMove, match=says) as refusal:
        position.parse(text)
    assert refusal.value.code == f"vasco.{code}"
    assert refusal.value.hint == hint
    if hint:
        position.parse(hint.removeprefix("For example: "))


def test_refusal_lists_the_rotations_that_work_at_the_position() -> None:
    with pytest.raises(IllegalMove, match=r"What fits position 5: c, e\."):
        after("a1").parse("a5")


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move(0, 0, "a"), "taken"),
        (Move(5, 0, "a"), "apart"),
        (Move(0, -2, "a"), "apart"),
        (Move(10**9, -(10**9), "a"), "apart"),
        (Move(1, 0, "z"), "no-such-rotation"),
        (Move(1, 0, "a"), "edges-differ"),
    ],
)
def test_play_judges_any_move_object(move: Move, code: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        after("a1").play(move)
    assert refusal.value.code == f"vasco.{code}"


def test_play_refuses_a_first_tile_elsewhere() -> None:
    with pytest.raises(IllegalMove, match="position 1"):
        GAME.start().play(Move(1, 0, "a"))


def test_format_refuses_what_play_refuses() -> None:
    with pytest.raises(IllegalMove):
        after("a1").format(Move(0, 0, "a"))


def test_nothing_can_be_played_once_the_game_is_over() -> None:
    position = after("a1 e9 d4")
    assert position.legal_moves() == ()
    for refused in (lambda: position.parse("a1"), lambda: position.play(Move(3, 0, "a"))):
        with pytest.raises(IllegalMove, match="closed loop of 6"):
            refused()


@pytest.mark.parametrize(
    "line",
    ["54 O", "54 X 0,0=a", "54 O 0,0=ac", "600 X 0,0=aca 0,1=aca", "6 X -1,0=fcac 0,1=c 2,1=c"],
)
def test_written_line_is_read_back(line: str) -> None:
    assert GAME.read(line).write() == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "begin"),
        ("54", "begin"),
        ("54 O ", "row of tiles|begin"),
        ("54 Y 0,0=a", "begin"),
        ("5 O", "6 to 600"),
        ("601 O", "6 to 600"),
        ("54 X", "turn"),
        ("54 O 0,0=a", "turn"),
        ("54 O 0,0=g", "row of tiles"),
        ("54 O 0,0=aa", "different colours"),
        ("54 O 0,0=ac ", "begin"),
        ("54 O 0,0=a 1,0=c", "reading order"),
        ("54 O -0,0=ac", "reading order"),
        ("54 O 1,0=c 0,0=a", "reading order"),
        ("54 O 0,0=ac 0,0=ac", "reading order"),
        ("54 O 1,0=c", "first tile"),
        ("54 O 0,0=a 2,0=a", "one group"),
        ("54 O 0,0=ac 2,1=a", "one group"),
        ("54 O 0,0=aca 2,1=a", "forced"),
        ("7 O 0,0=acacacac", "more than 7"),
        ("54 O 0,0=" + "ac" * 20_000, "begin"),
        ("54 O 999,999=a", "first tile"),
    ],
)
def test_line_that_is_no_position_is_refused(line: str, why: str) -> None:
    with pytest.raises(UserError, match=why) as refusal:
        GAME.read(line)
    assert refusal.value.code == "vasco.unreadable-position"


def test_position_equals_what_its_line_reads() -> None:
    played = after("a1 c6 a14")
    assert played.write() == "54 X @2,1 0,0=aca 0,1=aca"
    assert played == GAME.read(played.write())
    assert hash(played) == hash(GAME.read(played.write()))
