"""The law of Visavis, ruling by ruling (X1 to X3 of the specification)."""

from __future__ import annotations

import random

import pytest

from sarsen.core.errors import BadOption, IllegalMove, UnreadableMove, UserError
from sarsen.core.referee import judge, perft, replayed
from sarsen.games.visavis import GAME
from sarsen.games.visavis.board import O, X, board_of, is_peg, joined_pegs, joins_sides, name
from sarsen.games.visavis.rules import VisavisPosition

ODD_SIZES = range(5, 26, 2)


def after(moves: str, options: str = "-size=9") -> VisavisPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VisavisPosition)
    return position


def refused(position: VisavisPosition, text: str) -> UserError:
    """Return the refusal of a move, whose hint must be a move that is not refused."""
    with pytest.raises(UserError) as caught:
        judge(position, text)
    judge(position, caught.value.hint.removeprefix("For example: "))
    return caught.value


@pytest.mark.parametrize("size", range(6, 25, 2))
def test_x1_even_size_is_refused_with_the_reason(size: int) -> None:
    with pytest.raises(BadOption) as refusal:
        GAME.start(f"-size={size}")
    assert "wrong colour" in refusal.value.text
    assert refusal.value.hint == f"-size={size - 1}"


def test_size_is_25_when_nothing_is_said() -> None:
    assert GAME.start().options == {"size": 25, "swap": False}


@pytest.mark.parametrize("size", ODD_SIZES)
def test_both_sides_have_as_many_places_as_the_specification_counts(size: int) -> None:
    half = (size - 1) // 2
    expected = 3 * half * half - half - 1
    board = board_of(size)
    assert [len(board.named[side]) for side in (O, X)] == [expected, expected]
    assert expected == {5: 9, 7: 23, 9: 43, 11: 69, 25: 419}.get(size, expected)


def test_o_has_pegs_in_even_rows_from_a_and_x_in_odd_rows_from_c() -> None:
    board = board_of(5)
    assert board.names(board.pegs[O]) == ["A2", "C2", "E2", "A4", "C4", "E4"]
    assert board.names(board.pegs[X]) == ["C1", "E1", "C3", "E3", "C5", "E5"]


def test_bridge_is_named_by_the_middle_of_its_pegs() -> None:
    assert joined_pegs(X, 4, 4) == ((3, 5), (5, 3))
    assert joined_pegs(O, 4, 4) == ((3, 4), (5, 4))


@pytest.mark.parametrize("size", [5, 9, 25])
def test_x2_bridges_block_each_other_as_the_specification_lists(size: int) -> None:
    crossings = {
        "-": [((-1, 0), "\\"), ((0, 0), "/")],
        "/": [((0, 0), "-"), ((-1, 1), "\\")],
        "\\": [((-1, 0), "-"), ((-1, 1), "/")],
    }
    board = board_of(size)
    for text, place in board.named[X]:
        ((column, row),) = board.coordinates(place)
        expected = set()
        for (across, down), shape in crossings[shape_of(X, column, row)]:
            other = (column + across, row + down)
            if board.place(O, other):
                assert shape_of(O, *other) == shape, text
                expected.add(name(*other))
        assert set(board.names(board.crossed(X, place))) == expected


@pytest.mark.parametrize("size", [5, 9, 25])
def test_x2_blocking_is_mutual(size: int) -> None:
    board = board_of(size)
    pairs = [
        {
            (bridge, other) if side == O else (other, bridge)
            for bridge, place in board.named[side]
            for other in board.names(board.crossed(side, place))
        }
        for side in (O, X)
    ]
    assert pairs[O] == pairs[X]


def shape_of(side: int, column: int, row: int) -> str:
    """Return the character of a bridge from the specification's table of parities."""
    row_of_pegs = row % 2 == (1 if side == X else 0)
    if row_of_pegs:
        assert column % 2 == 0
        return "-"
    return "\\" if column % 2 else "/"


def test_x2_blocked_place_is_refused_and_the_blocking_bridge_named() -> None:
    refusal = refused(after("B2 D4"), "d4")
    assert isinstance(refusal, IllegalMove)
    assert refusal.code == "visavis.blocked"
    assert refusal.text == "D4 (C4-E4) is blocked: X's bridge D4 (C5-E3) crosses it."


def test_x2_refusal_names_both_blocking_bridges() -> None:
    assert refused(after("D4 G8 C5"), "D4").text == (
        "D4 (C5-E3) is blocked: O's bridges D4 (C4-E4) and C5 (C4-C6) cross it."
    )


def test_x3_bridge_along_the_own_side_is_legal() -> None:
    along = after("A3 D1 I5 H9")
    assert along.board.names(along.bridges[O]) == ["A3", "I5"]
    assert along.board.names(along.bridges[X]) == ["D1", "H9"]


def test_x3_bridges_along_a_side_do_not_win() -> None:
    position = after("A3 C2 A5 I2 A7")
    assert position.outcome() is None


def test_o_wins_by_joining_left_and_right() -> None:
    position = after("B2 C8 D2 E8 F2 G8 H2")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (1.0, 0.0)
    assert outcome.reason == "O joined left and right."
    assert position.effects() == ("H2 blocks X at H2 and I2.", "O joins left and right and wins.")
    assert not position.legal_moves()


def test_x_wins_by_joining_top_and_bottom() -> None:
    position = after("H2 C2 H4 C4 H6 C6 H8 C8")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (0.0, 1.0)
    assert outcome.reason == "X joined top and bottom."


def test_game_that_is_over_takes_no_move() -> None:
    position = after("B2 C8 D2 E8 F2 G8 H2")
    for refuse in (position.parse, position.play):
        with pytest.raises(IllegalMove) as refusal:
            refuse("C4")
        assert refusal.value.code == "visavis.game-over"


@pytest.mark.parametrize("size", ODD_SIZES)
def test_no_random_game_ends_without_a_winner(size: int) -> None:
    rng = random.Random(size)
    for _ in range(12 if size < 15 else 2):
        position = GAME.start({"size": size})
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
        winner = position.winner
        assert winner is not None
        assert not joins_sides(position.board, 1 - winner, position.bridges[1 - winner])


@pytest.mark.parametrize("size", ODD_SIZES)
def test_side_without_any_place_left_has_joined_its_sides_or_sees_the_other_joined(
    size: int,
) -> None:
    """Bridges come in any order, without turns: no draw is a fact of the board itself."""
    rng = random.Random(size)
    board = board_of(size)
    for _ in range(6):
        order = [(side, place) for side in (O, X) for _, place in board.named[side]]
        rng.shuffle(order)
        bridges = [0, 0]
        for side, place in order:
            if not board.crossed(side, place) & bridges[1 - side]:
                bridges[side] |= place
        joined = [joins_sides(board, side, bridges[side]) for side in (O, X)]
        assert sorted(joined) == [False, True]


def test_swap_changes_the_seats_and_lets_x_move_next() -> None:
    position = after("C3 swap", "-size=9 -swap")
    assert position.sides == ("X", "O")
    assert position.seat == 0
    assert position.board.names(position.bridges[O]) == ["C3"]
    assert "swap sides" in position.effects()[0]
    moved = position.play("D4")
    assert moved.seat == 1
    assert moved.sides == ("X", "O")
    assert moved.board.names(moved.bridges[X]) == ["D4"]


def test_winner_after_a_swap_is_the_seat_that_has_the_side_now() -> None:
    position = after("B2 swap C8 D2 E8 F2 G8 H2", "-size=9 -swap")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (0.0, 1.0)
    assert outcome.reason == "O joined left and right."


def test_swap_is_one_more_answer_to_the_first_bridge() -> None:
    with_swap, without = after("C3", "-size=9 -swap"), after("C3")
    assert set(with_swap.legal_moves()) == {*without.legal_moves(), "swap"}


@pytest.mark.parametrize("moves", ["", "C3 D4", "C3 D4 E5", "C3 swap", "C3 swap D4"])
def test_swap_is_refused_at_every_other_time(moves: str) -> None:
    position = after(moves, "-size=9 -swap")
    assert "swap" not in position.legal_moves()
    assert refused(position, "swap").code == "visavis.swap-time"


def test_swap_is_refused_without_the_option() -> None:
    assert refused(after("C3"), "swap").code == "visavis.swap-not-agreed"


@pytest.mark.parametrize(
    ("side", "text", "move"),
    [
        (X, "d4", "D4"),
        (X, "  D 4 ", "D4"),
        (X, "d04", "D4"),
        (X, "C5-E3", "D4"),
        (X, "e3 - c5", "D4"),
        (X, "e3c5", "D4"),
        (X, "c3-c5", "C4"),
        (X, "c3-e3", "D3"),
        (O, "c4-e4", "D4"),
    ],
)
def test_moves_are_read_in_every_natural_form(side: int, text: str, move: str) -> None:
    position = after("G7") if side == X else after("")
    assert position.parse(text) == move
    assert position.format(move) == move


@pytest.mark.parametrize("text", ["", "d", "44", "4d", "d4 e5 f6", "ä4", "d4!", "d1234", "-", "D²"])
def test_text_that_is_no_move_is_quoted(text: str) -> None:
    refusal = refused(after("G7"), text)
    assert isinstance(refusal, UnreadableMove)
    assert refusal.code == "visavis.unreadable-move"
    assert repr(text.strip()) in refusal.text


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("j3", "visavis.off-board", "from A to I"),
        ("d10", "visavis.off-board", "from 1 to 9"),
        ("d0", "visavis.off-board", "D0"),
        ("z999", "visavis.off-board", "Z999"),
        ("e3", "visavis.peg", "one of X's pegs"),
        ("a4", "visavis.peg", "one of O's pegs"),
        ("b4", "visavis.other-side", "two pegs of O"),
        ("b3", "visavis.other-side", "X bridges its own pegs only"),
        ("a1", "visavis.corner", "is a corner"),
        ("b9", "visavis.corner", "is a corner"),
        ("g7", "visavis.peg", "Name the place between two pegs"),
        ("c4-e4", "visavis.not-own-peg", "none at C4"),
        ("c3-g3", "visavis.not-adjacent", "reaches C1 or E1 or E3 or C5"),
        ("c3-e5", "visavis.not-adjacent", "not neighbours"),
        ("c3-c3", "visavis.not-adjacent", "not neighbours"),
    ],
)
def test_beginners_mistake_of_x_is_explained(text: str, code: str, words: str) -> None:
    refusal = refused(after("G7"), text)
    assert refusal.code == code
    assert words in refusal.text


@pytest.mark.parametrize(
    ("text", "code"),
    [("c4", "visavis.peg"), ("c1", "visavis.peg"), ("d1", "visavis.other-side")],
)
def test_beginners_mistake_of_o_is_explained(text: str, code: str) -> None:
    assert refused(after(""), text).code == code


def test_second_bridge_on_one_place_is_refused() -> None:
    assert refused(after("D4 G8"), "D4").code == "visavis.occupied"


def test_every_coordinate_of_a_small_board_is_judged_like_the_list_of_legal_moves() -> None:
    for moves in ("", "C3", "D4 E6", "F6 D6 F2 E2 D5"):
        position = after(moves, "-size=7 -swap")
        legal = set(position.legal_moves()) - {"swap"}
        for column in range(1, 8):
            for row in range(1, 8):
                text = name(column, row)
                if text in legal:
                    assert position.play(text).last == text
                else:
                    refused(position, text)


def test_effects_name_only_places_that_were_open_before() -> None:
    assert after("D4").effects() == ("D4 blocks X at D4 and E4.",)
    assert after("D4 G8 C5").effects() == ("C5 blocks X at D5.",)


def test_first_row_and_last_column_are_no_pegs_of_o() -> None:
    assert not is_peg(O, 1, 1, 9)
    assert not is_peg(O, 1, 9, 9)
    assert is_peg(O, 9, 8, 9)


def test_perft_with_swap_counts_the_swap_as_a_move() -> None:
    assert [perft(GAME.start("-size=5 -swap"), depth) for depth in (1, 2, 3)] == [9, 79, 550]
