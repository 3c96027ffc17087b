"""Refusals are raised in English, and translated where they are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refusals import Template, templates, unread
from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, listed
from sarsen.language.commands import BY_WORD, COMMANDS
from sarsen.language.replies import Refusal, decode, encode
from sarsen.language.translating import translated, use_language
from translations import SOURCES, refusing

TURN = Phrase("It is not your turn on board {board}: {player} is to move.", board=12, player="bob")
FILES = [*refusing(), *SOURCES.glob("games/*/*.py")]
SOURCE = """
def play(board, move, text):
    raise UserError(
        "Board {board} has a move." if move else "Board {board} has no moves.",
        code="x",
        hint=Phrase("{move} is free.", move=move),
        board=board,
    )

def ask(name, refusal):
    raise Bad("This is {} as it stands.", code="y", hint="Look it up." if name else "show 3")
    raise UserError(f"Nobody is called {name}.", code="z", hint=name)
    raise UserError(refusal.text, code="z")
    return Outcome((1.0, 0.0), "V has won.")
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_templates_are_read_where_something_is_refused(source: Path) -> None:
    assert sorted(one.text for one in templates(source)) == [
        "Board {board} has a move.",
        "Board {board} has no moves.",
        "Look it up.",
        "This is {} as it stands.",
        "V has won.",
        "{move} is free.",
    ]
    assert list(unread(source)) == ["source.py:12: f'Nobody is called {name}.'"]


def test_no_refusal_that_a_player_may_meet_escapes_translation() -> None:
    assert [one for path in FILES for one in unread(path)] == []


def test_every_gap_has_its_fact_and_every_fact_a_gap() -> None:
    by_call: dict[tuple[Path, int], list[Template]] = {}
    for path in FILES:
        for one in templates(path):
            if one.facts is not None:
                assert one.gaps <= one.facts, one
                by_call.setdefault((path, one.call), []).append(one)
    for several in by_call.values():
        gaps = frozenset().union(*(one.gaps for one in several))
        assert all(one.facts == gaps for one in several), several


def test_refusal_is_said_in_the_language_in_force() -> None:
    assert translated(TURN) == TURN
    with use_language("de"):
        assert translated(TURN) == "Auf Brett 12 bist du nicht am Zug, sondern bob."


@pytest.mark.parametrize("text", ["", "druid show 12", "An other game says this: no.", "{0}", "{"])
def test_what_no_catalogue_knows_and_what_is_typed_stay_as_they_are(text: str) -> None:
    with use_language("de"):
        assert translated(text) == translated(Phrase(text)) == text


def test_lines_to_be_typed_are_the_same_in_every_language() -> None:
    lines = [*BY_WORD, *(line for one in COMMANDS for line in one.usage.split(" | "))]
    with use_language("de"):
        assert [line for line in lines if translated(line) != line] == []


def test_what_stands_in_the_gaps_is_no_template_and_no_word_of_ours() -> None:
    typed = Phrase("{player} has left this server.", player="{player.__class__} and games")
    with use_language("de"):
        assert translated(typed) == "{player.__class__} and games hat diesen Server verlassen."


def test_refusals_and_lists_within_refusals_are_translated() -> None:
    left = Phrase("{player} has left this server.", player=listed(["ann", "bob"], "and"))
    refusal = UserError(
        "There is nothing to confirm on board {board}. {refusal}", code="x", board=3, refusal=left
    )
    with use_language("de"):
        assert translated(refusal.text) == (
            "Auf Brett 3 gibt es nichts zu bestätigen. ann und bob hat diesen Server verlassen."
        )


def test_stored_refusal_is_translated_when_it_is_read() -> None:
    word = Phrase("Challenge {number} was {state}.", number=3, state=Phrase("declined"))
    refusal = Refusal(TURN, "not-your-turn", word)
    stored = json.loads(json.dumps(encode(refusal, with_templates=True)))
    found = decode(stored)
    assert found == refusal
    with use_language("de"):
        assert translated(found.text) == "Auf Brett 12 bist du nicht am Zug, sondern bob."
        assert translated(found.hint) == "Die Herausforderung 3 wurde abgelehnt."


def test_programs_get_finished_sentences() -> None:
    refusal = Refusal(TURN, "not-your-turn", "druid show 12")
    assert encode(refusal) == {
        "kind": "Refusal",
        "text": "It is not your turn on board 12: bob is to move.",
        "code": "not-your-turn",
        "hint": "druid show 12",
    }


def test_refusal_stored_by_release_0_4_is_shown_as_it_was_stored() -> None:
    stored = {"kind": "Refusal", "text": str(TURN), "code": "not-your-turn", "hint": "show 12"}
    with use_language("de"):
        assert translated(decode(stored).text) == str(TURN)
