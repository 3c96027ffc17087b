"""Games written as records, by the example of the game that `sarsen new-game` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages import load_rules
from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge, replayed
from sarsen.lab.new_game.template.sarsen_tryout import GAME

HEX = Path(__file__).parents[2] / "examples" / "games" / "hex" / "sarsen_hex" / "rules.py"


def test_position_is_written_as_options_and_moves_and_read_back() -> None:
    position = replayed(GAME.start("-size=3"), ["B2", " a 1 "])
    assert position.write() == "-size=3;b2 a1"
    assert GAME.read("-size=3;b2 a1") == position
    assert GAME.read(";") == GAME.start()


@pytest.mark.parametrize(
    "line", ["", "-size=3", "-size=3;b2 b2", "-size=3;d4", "-size=2;b2", ";b2 c2;", ";B2"]
)
def test_line_that_no_game_reaches_is_refused(line: str) -> None:
    with pytest.raises(UserError):
        GAME.read(line)


def test_readable_move_that_the_rules_forbid_is_refused_when_it_is_read() -> None:
    position = replayed(GAME.start(), ["b2"])
    with pytest.raises(IllegalMove) as refusal:
        position.parse("b2")
    assert refusal.value.code == "tryout.occupied"


def test_text_that_is_no_move_is_quoted_with_one_that_is() -> None:
    with pytest.raises(UnreadableMove) as refusal:
        judge(GAME.start(), "  over there ")
    assert refusal.value.code == "tryout.unreadable-move"
    assert refusal.value.text == "'over there' is not a move in Tryout; moves look like b2."
    assert refusal.value.hint.startswith("For example: ")


def test_no_move_is_played_after_the_end() -> None:
    ended = replayed(GAME.start(), ["b2", "c2", "b3", "c3", "b4"])
    for act in (ended.parse, ended.play):
        with pytest.raises(IllegalMove) as refusal:
            act("a1")
        assert refusal.value.code == "game-over"


@pytest.fixture(scope="module")
def swapping() -> AnyPosition:
    """Return the first position of a game with the option SWAP, which is on."""
    return load_rules(HEX, "sarsen_hex_rules_with_swap").GAME.start("-size=3 -swap")


def test_swap_exchanges_the_sides_and_leaves_the_stones(swapping: AnyPosition) -> None:
    before = swapping.play("b2")
    assert (before.seat, before.sides) == (1, ("Red", "Blue"))
    assert before.legal_moves()[-1] == "swap"
    after = before.play(before.parse(" Swap"))
    assert (after.seat, after.sides) == (0, ("Blue", "Red"))
    assert after.stones == before.stones
    assert after.effects() == ("The players swap sides.",)
    assert swapping.game.read(after.write()) == after
    # The stone is the second player's now, who wins with it.
    ended = replayed(after, ["c2", "b1", "c1", "b3"])
    assert ended.effects() == ()
    assert ended.outcome().scores == (0.0, 1.0)


@pytest.mark.parametrize("moves", [[], ["b2", "c2"], ["b2", "swap"]])
def test_only_the_first_move_is_answered_by_swap(swapping: AnyPosition, moves: list[str]) -> None:
    position = replayed(swapping, moves)
    assert "swap" not in position.legal_moves()
    with pytest.raises(IllegalMove) as refusal:
        judge(position, "swap")
    assert refusal.value.code == "hex.swap"
    assert (
        refusal.value.text
        == "You can swap only in answer to the first move, and only in a game with swap."
    )


def test_swap_needs_the_option_and_a_game_that_has_it(swapping: AnyPosition) -> None:
    without = swapping.game.start("-size=3").play("b2")
    with pytest.raises(IllegalMove):
        judge(without, "swap")
    with pytest.raises(UnreadableMove):
        judge(replayed(GAME.start(), ["b2"]), "swap")
