"""Errors that a person can mend."""

from __future__ import annotations

import pytest

from sarsen.core.errors import BadOption, IllegalMove, UnknownGame, UnreadableMove, UserError
from sarsen.games import load, names


@pytest.mark.parametrize("kind", [IllegalMove, UnreadableMove, BadOption, UnknownGame])
def test_every_refusal_is_a_user_error_with_text_code_and_hint(kind: type[UserError]) -> None:
    refusal = kind("No such square.", code="druid.off-board", hint="c3")
    assert isinstance(refusal, UserError)
    assert str(refusal) == refusal.text == "No such square."
    assert (refusal.code, refusal.hint) == ("druid.off-board", "c3")


def test_unknown_game_names_all_games() -> None:
    with pytest.raises(UnknownGame) as refused:
        load("chess")
    assert all(name in refused.value.text for name in names())


@pytest.mark.parametrize("name", ["", " ", "../druid", "druid ", "é", "x" * 10_000])
def test_any_text_that_is_no_game_is_refused(name: str) -> None:
    with pytest.raises(UnknownGame):
        load(name)
