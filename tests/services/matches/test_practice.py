"""Games that nobody keeps: judged by the rules, answered by a partner, bounded. No database."""

from __future__ import annotations

import pytest

from sarsen.core.errors import IllegalMove, UserError
from sarsen.games import find, names
from sarsen.services.matches.practice import LONGEST, MAX_MOVES, make_practice, with_replies


def test_moves_are_kept_in_full_form_and_shown_up_to_any_of_them() -> None:
    practice = make_practice("druid", "-size=4", ["A1", "a2", "a3", "d2", "a3-a1"], 4)
    assert practice.moves == ("a1", "a2", "a3", "d2", "a1-a3")
    assert practice.at == 4
    assert practice.position.seat == 0


def test_an_illegal_move_is_refused_by_its_rule() -> None:
    with pytest.raises(IllegalMove) as refused:
        make_practice("druid", "-size=4", ["b2"])
    assert refused.value.code == "druid.opening"


@pytest.mark.parametrize("at", [-5, 0, 1, 2, 99])
def test_a_step_beyond_the_record_shows_its_nearest_end(at: int) -> None:
    assert make_practice("druid", "", ["a1", "a2"], at).at == max(0, min(at, 2))


@pytest.mark.parametrize("texts", [["a1"] * (MAX_MOVES + 1), ["a" * LONGEST]])
def test_a_record_longer_than_an_address_holds_is_refused(texts: list[str]) -> None:
    with pytest.raises(UserError) as refused:
        make_practice("druid", "", texts)
    assert refused.value.code == "practice-long"


@pytest.mark.parametrize("name", names())
def test_the_partner_answers_until_the_person_is_to_move_again(name: str) -> None:
    begun = make_practice(name, "", ())
    first = begun.position.format(begun.position.legal_moves()[0])
    after = with_replies(make_practice(name, "", [first]))
    assert after.position.seat == 0
    assert len(after.moves) == 2
    assert with_replies(make_practice(name, "", [first])) == after, (
        "the same game is answered alike"
    )


def test_the_partner_wins_where_one_move_does_that() -> None:
    # H has a1 to c1 and needs a step to the right edge of three columns.
    practice = make_practice("druid", "-size=3", ["a3", "a1", "b3", "b1", "c3"])
    won = with_replies(practice)
    assert won.moves[-1] == "c1"
    outcome = won.position.outcome()
    assert outcome is not None
    assert outcome.winner == 1


def test_a_game_that_is_over_is_answered_with_nothing() -> None:
    over = make_practice("druid", "-size=3", ["a1", "b2", "a2", "c2", "a3"])
    assert with_replies(over).moves == over.moves


@pytest.mark.parametrize("name", names())
def test_unknown_options_are_refused_and_not_shown_as_played(name: str) -> None:
    with pytest.raises(UserError):
        make_practice(name, "-<script>", ())
    assert find()[name].info.name == name
