"""Sentences keep what they were made of, and refusals are such sentences."""

from __future__ import annotations

import pickle

import pytest

from sarsen.core.errors import BadOption, IllegalMove, UserError
from sarsen.core.phrases import Phrase, for_example, listed, quoted


def test_phrase_is_its_finished_sentence_and_keeps_template_and_facts() -> None:
    phrase = Phrase("Board {board} waits for {player}.", board=3, player="ann")
    assert phrase == "Board 3 waits for ann."
    assert (phrase.template, phrase.facts) == (
        "Board {board} waits for {player}.",
        {"board": 3, "player": "ann"},
    )


def test_text_without_facts_may_hold_braces_and_facts_are_no_templates() -> None:
    assert Phrase("{board} is {") == "{board} is {"
    assert Phrase("You wrote {typed}.", typed="{typed.__class__}") == (
        "You wrote {typed.__class__}."
    )


def test_refusal_finishes_its_text_and_hands_it_on_whole() -> None:
    refusal = UserError("Board {board} is full.", code="full", hint="show 3", board=3)
    again = IllegalMove(refusal.text, code=refusal.code, hint="help")
    assert (str(again), again.text, again.hint) == ("Board 3 is full.", "Board 3 is full.", "help")
    assert isinstance(again.text, Phrase)
    assert again.text.facts == {"board": 3}
    option = BadOption("There is no -{option}.", code="x", word="-a", option="a")
    assert (option.text, option.word) == ("There is no -a.", "-a")


def test_refusal_of_a_plug_in_may_be_a_finished_text() -> None:
    assert str(IllegalMove("No {ring} there.", code="mine.ring")) == "No {ring} there."


def test_fact_that_is_missing_is_an_error_at_once() -> None:
    with pytest.raises(KeyError):
        UserError("Board {board} is full.", code="full", player="ann")


def test_items_are_listed_as_they_were_joined() -> None:
    assert listed(["a"], "or") == "a"
    assert listed(["a", "b", "c"], "and") == "a and b and c"
    assert listed([Phrase("{one} or {other}", one="a", other="b"), "c"]) == "a or b, c"
    assert for_example("d3") == "For example: d3"


def test_only_typed_facts_are_left_out_also_within_phrases() -> None:
    inner = Phrase("Nobody is called {name}; {near} is.", name=quoted("secret"), near="secret2")
    phrase = Phrase("Board {board}: {refusal}", board=3, refusal=inner)
    left_out = phrase.without(lambda typed: "secret" in typed)
    assert left_out == "Board 3: Nobody is called '…'; secret2 is."
    assert phrase.without(lambda typed: False) == phrase


def test_what_is_quoted_shows_where_it_was_cut() -> None:
    assert (quoted("a1"), quoted("a1-b2", 2)) == ("'a1'", "'a1…'")


def test_phrase_is_pickled_with_its_facts() -> None:
    phrase = pickle.loads(pickle.dumps(Phrase("Board {board} is full.", board=3)))
    assert (phrase, phrase.facts) == ("Board 3 is full.", {"board": 3})
