"""Games written as records, by the example of the game that `sarsen new-game` writes."""

from __future__ import annotations

import pytest

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.referee import judge, replayed
from sarsen.lab.new_game.template.sarsen_tryout import GAME


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
