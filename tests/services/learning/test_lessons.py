"""Lessons by the command that every door sends: a step, a try, what is stored of it."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import TakeLesson
from sarsen.language.learning.lessons import LessonShown
from sarsen.language.translating import sentence_to_type
from sarsen.services.dispatch import perform
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import LessonProgress
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def take(*moves: str, step: str = "", game: str = "druid", by: Actor = NOBODY) -> LessonShown:
    reply = perform(TakeLesson(game, step, moves), by, "", NOW)
    assert isinstance(reply, LessonShown)
    return reply


def test_a_visitor_wins_the_first_step_and_sees_the_second() -> None:
    first = take()
    assert (first.at, first.count, first.step) == (1, 8, "win")
    second = take("b4", step="win")
    assert (second.verdict, second.at, second.step) == ("solved", 2, "own-ground")
    assert sentence_to_type(second).startswith("Right. That is the whole aim.")
    assert not LessonProgress.objects.exists()


def test_a_refusal_may_be_what_is_asked_for() -> None:
    third = take("a2", step="own-ground")
    assert (third.verdict, third.at) == ("solved", 3)
    assert sentence_to_type(third).startswith("Refused, as meant. ")
    wrong = take("b2", step="own-ground")
    assert (wrong.verdict, wrong.at) == ("wrong", 2)


def test_a_move_that_the_rules_refuse_is_no_try() -> None:
    ann = Actor(World().player("ann"))
    with pytest.raises(UserError) as refused:
        take("d2", step="win", by=ann)
    assert refused.value.code == "druid.sarsen-on-enemy"
    assert take("c1", step="win", by=ann).verdict == "wrong"
    assert LessonProgress.objects.get().tries == 1


def test_a_step_of_several_moves_goes_on_after_the_answer() -> None:
    ann = Actor(World().player("ann"))
    right = take("a3", step="level", by=ann)
    assert (right.verdict, right.answer, right.own) == ("right", "c1", ("a3",))
    assert "Right. c1 is played." in sentence_to_type(right)
    assert take("a3", "a1-a3", step="level", by=ann).verdict == "solved"
    assert LessonProgress.objects.get().done == ["level"]


def test_the_lesson_goes_on_where_the_player_was() -> None:
    ann = Actor(World().player("ann"))
    take("b4", step="win", by=ann)
    assert take(by=ann).step == "own-ground"
    take("skip", step="own-ground", by=ann)
    assert take(by=ann).step == "lintel"
