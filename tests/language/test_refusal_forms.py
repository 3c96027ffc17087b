"""The forms of refusals are read off the sources, and each is found again in what it says."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest

from refusals import forms, unread
from sarsen.language.refusals import reworded
from sarsen.language.translating import ENGLISH, LANGUAGES, speaking
from translations import catalogue, refusing

SOURCE = """
_KINDS = {"draw": "an offer", "undo": "no more"}
LIMIT = 3

def play(board, move):
    what = "one move" if move else "no moves"
    raise UserError(f"Board {board.pk} has {what} {{}} here.", code="x", hint=f"show {board.pk}")

def ask(kind, name):
    if not name:
        raise _refused("it has no name", name)
    raise UserError(
        "It is called "
        f"{name!r}{kind}, and is {_KINDS[kind]}." if name else "Nobody is called so.",
        code="y",
        hint="Look it up.",
    )

def _refused(why, name):
    return UserError(f"This is refused: {why}, {LIMIT} times.", code="z", hint=_like(name))

def _like(name):
    return f"{name} is free."

def again(refusal, challenge):
    check(what="challenges")
    return UserError(refusal.text, code="y"), Bad(f"It was {challenge.state} again.", code="w")
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_forms_are_read_off_where_something_is_refused(source: Path) -> None:
    assert sorted(forms(source)) == [
        "Board {0} has no moves {{}} here.",
        "Board {0} has one move {{}} here.",
        "It is called {0}, and is an offer.",
        "It is called {0}, and is no more.",
        "It was {words0} again.",
        "Look it up.",
        "Nobody is called so.",
        "This is refused: it has no name, {0} times.",
        "challenges",
        "{0} is free.",
    ]
    assert list(unread(source)) == ["refusal.text"]


def test_every_refusal_that_a_player_may_meet_has_a_form() -> None:
    """But those that hand another one on, and what is said in the language in force at once."""
    left = {one for path in refusing() for one in unread(path)}
    handed_on = {one for one in left if one.endswith(".text") or one.startswith("_(")}
    assert left - handed_on == {"self.text(refusal.text)", "text"}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != ENGLISH])
def test_no_form_is_taken_for_another(language: str) -> None:
    facts = [f"fact{number}" for number in range(9)]
    words = {f"words{number}": fact for number, fact in enumerate(facts)}
    found = polib.pofile(str(catalogue(language)))
    entries = [one for one in found if "{0}" in one.msgid or "{words" in one.msgid]
    assert len(entries) > 100
    with speaking(language):
        for one in entries:
            said = one.msgstr.format(*facts, **words)
            assert reworded(one.msgid.format(*facts, **words)) == said
