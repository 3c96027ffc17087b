"""Refused lines about lessons: each has its code, and a hint that works when it is sent."""

from __future__ import annotations

import pytest

from sarsen.language.learning.lessons import MAX_MOVES, LessonShown, LessonWord
from sarsen.language.replies import HelpPage, Refusal, Reply
from sarsen.learning import lessons
from sarsen.services.command_lines import read_and_perform
from sarsen.services.request import NOBODY
from web_world import NOW

pytestmark = pytest.mark.django_db


def said(line: str) -> Reply | Refusal:
    return read_and_perform(line, "", NOBODY, "", NOW).reply


def refused(line: str) -> Refusal:
    reply = said(line)
    assert isinstance(reply, Refusal)
    return reply


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("lesson", "lesson-game"),
        ("lesson chess", "unknown-game"),
        ("lesson druid 12", "no-such-step"),
        ("lesson druid 0", "no-such-step"),
        ("lesson druid b4", "no-such-step"),
        ("lesson druid 1 c1 b4", "line-over"),
        ("lesson druid 5 a3 c1 b1", "line-over"),
        ("lesson druid 1 b4 c1", "step-done"),
        ("lesson druid 1 b4 hint", "step-done"),
        ("lesson visavis 2 d2 d2", "step-done"),
        ("lesson druid 8 d4 a4-c4 hint", "lesson-finished"),
        ("lesson druid 1 hint show", "lesson-word"),
        ("lesson druid hint show", "lesson-word"),
        ("lesson druid 5 a3 hint a1-a3", "lesson-word"),
        ("lesson druid 1 skip b4", "lesson-word"),
        (f"lesson druid 1{' c1' * (MAX_MOVES + 1)}", "lesson-line"),
    ],
)
def test_the_hint_of_a_refusal_works(line: str, code: str) -> None:
    refusal = refused(line)
    assert refusal.code == code
    assert isinstance(said(refusal.hint), LessonShown | HelpPage)


def test_a_word_that_another_one_follows_says_what_to_send() -> None:
    refusal = refused("lesson druid level a3 tipp zeig")
    assert refusal.text == "`hint` comes last on its line; send 'show' by itself."
    assert refusal.hint == "lesson druid 5 a3 hint"


def test_help_explains_the_words_of_a_lesson() -> None:
    page = said("help lesson")
    assert isinstance(page, HelpPage)
    for word in LessonWord:
        assert (f"- `{word}`: " in page.text) == (word is not LessonWord.NO_THANKS)


def test_games_that_have_a_lesson_are_named() -> None:
    for line in ("lesson", "lesson chess"):
        assert "druid, gyges, vasco, visavis" in refused(line).text


def test_a_game_without_a_lesson_names_those_that_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = lessons.text_file
    _forget()
    monkeypatch.setattr(
        lessons, "text_file", lambda game, name: "" if game == "gyges" else kept(game, name)
    )
    refusal = refused("lesson gyges")
    _forget()
    assert (refusal.code, refusal.hint) == ("no-lesson", "lesson druid")
    assert "Gyges has no lesson yet. These games have one: druid, vasco, visavis." in refusal.text


def _forget() -> None:
    lessons._lesson.cache_clear()
    lessons.has_lesson.cache_clear()


@pytest.mark.parametrize(
    ("game", "step", "move"),
    [("druid", "1", "d2"), ("druid", "1", "zz9"), ("gyges", "2", "66-55"), ("vasco", "1", "a99")],
)
def test_a_move_that_the_rules_refuse_has_a_legal_one_for_a_hint(
    game: str, step: str, move: str
) -> None:
    refusal = refused(f"lesson {game} {step} {move}")
    assert refusal.code.startswith(f"{game}.")
    assert refusal.hint.startswith("For example: ")
    legal = refusal.hint.removeprefix("For example: ")
    assert isinstance(said(f"lesson {game} {step} {legal}"), LessonShown)


def test_a_lesson_says_how_many_steps_it_has() -> None:
    assert "The lesson of Druid has 8 steps" in refused("lesson druid 12").text
    assert refused("lesson druid 12").hint == "lesson druid 8"
