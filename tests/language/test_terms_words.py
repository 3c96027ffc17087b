"""What a challenge agrees on, in words."""

from __future__ import annotations

import pytest

from sarsen.core.options import Choice, Days
from sarsen.language.challenges import terms_words
from sarsen.language.terms import TERMS


def test_terms_are_said_in_words_with_their_days() -> None:
    assert terms_words("--unrated --totaltime=30 --increment=0.5 --forfeittime=1") == (
        "unrated",
        "30 days of reserve per player",
        "0.5 days more with each move",
        "1 day per move",
    )
    assert terms_words("") == ()


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_every_term_there_is_has_words(term: object) -> None:
    name = term.name  # type: ignore[attr-defined]
    value = {Days: "=3", Choice: "=off"}.get(type(term), "")  # type: ignore[call-overload]
    (words,) = terms_words(f"--{name}{value}")
    assert "=" not in words
    assert words == "unrated" or " " in words
