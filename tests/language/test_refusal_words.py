"""Refusals are raised in English, and said in the language of whoever reads them."""

from __future__ import annotations

import pytest

from sarsen.language.commands import BY_WORD, COMMANDS
from sarsen.language.refusals import Form, reworded
from sarsen.language.translating import speaking

TURN = "It is not your turn on board 12: bob moves."


def test_refusal_is_said_in_the_language_in_force() -> None:
    assert reworded(TURN) == TURN
    with speaking("de"):
        assert reworded(TURN) == "Auf Brett 12 bist du nicht am Zug, sondern bob."


@pytest.mark.parametrize("text", ["", "druid show 12", "An other game says this: no.", "{0}", "{"])
def test_what_no_catalogue_knows_and_what_is_typed_stay_as_they_are(text: str) -> None:
    with speaking("de"):
        assert reworded(text) == text


def test_lines_to_be_typed_are_the_same_in_every_language() -> None:
    lines = [*BY_WORD, *(line for one in COMMANDS for line in one.usage.split(" | "))]
    with speaking("de"):
        assert [line for line in lines if reworded(line) != line] == []


def test_what_stands_in_the_gaps_is_no_form_itself() -> None:
    with speaking("de"):
        assert reworded("It is not your turn on board 1: {0.__class__} moves.") == (
            "Auf Brett 1 bist du nicht am Zug, sondern {0.__class__}."
        )


@pytest.mark.parametrize(
    ("parts", "text", "facts"),
    [
        (("", " is taken."), "ann is taken.", ("ann",)),
        (("The ", " of ", ""), "The end of it", ("end", "it")),
        (("a", "b"), "a b", (" ",)),
        (("ab", "bc"), "abc", None),
        (("", "x", "x"), "x", None),
        (("", "; ", "."), "; .", ("", "")),
        (("", " is taken."), "ann is taken", None),
    ],
)
def test_gaps_are_read_from_left_to_right(
    parts: tuple[str, ...], text: str, facts: tuple[str, ...] | None
) -> None:
    assert Form(parts, "").read(text) == facts


def test_lists_in_the_gaps_are_said_but_not_their_names() -> None:
    with speaking("de"):
        assert reworded("ann, bob and eve has left this server.") == (
            "ann, bob und eve hat diesen Server verlassen."
        )
        assert reworded("and has left this server.") == "and hat diesen Server verlassen."


def test_a_long_text_is_read_at_once() -> None:
    """Whoever writes a refusal's facts cannot make the server search for long."""
    form = Form(("", "a", "a", "a", "a", "a", "b"), "")
    assert form.read("a" * 200_000) is None


def test_refusals_in_refusals_without_end_are_no_deeper_than_we_make_them() -> None:
    deep = "ann" + " resigned." * 5_000
    with speaking("de"):
        assert reworded(deep).endswith(" hat aufgegeben.")
