"""Lessons for programs: the list, the steps, and tries at them, to the end of each lesson."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from program import Program
from sarsen.core.referee import judge, replayed
from sarsen.games import load
from sarsen.language.learning.lessons import MAX_MOVES
from sarsen.learning.lessons import Step, lesson_of
from sarsen.learning.tries import judge_line, move_to_show
from sarsen.services.limits import daily
from sarsen.storage.models import AuditEntry, LessonProgress
from web_world import World

Programs = Callable[..., Program]
GAMES = ("druid", "gyges", "vasco", "visavis")


def right_line(game: str, step: Step) -> tuple[str, ...]:
    """Return own moves that solve a step."""
    line: tuple[str, ...] = ()
    while True:
        line = (*line, move_to_show(game, step, judge_line(game, step, line)))
        if judge_line(game, step, line).verdict == "solved":
            return line


def test_the_games_with_a_lesson_are_listed(program: Programs) -> None:
    found = program().get("lessons")["lessons"]
    counts = {line["game"]: line["count"] for line in found}
    assert {game: counts[game] for game in GAMES} == {
        "druid": 8, "gyges": 7, "vasco": 7, "visavis": 7
    }  # fmt: skip


def test_steps_are_shown_without_what_solves_them(program: Programs) -> None:
    visitor = program()
    for game in GAMES:
        for shown, step in zip(
            visitor.get(f"lessons/{game}")["steps"], lesson_of(game).steps, strict=True
        ):
            position = replayed(load(game).start(shown["options"]), shown["moves"])
            assert shown["position"] == position.write()
            assert shown["side"] == position.sides[position.seat]
            assert (shown["id"], shown["task"]) == (step.id, step.task)
            assert not {"accept", "right", "wrong", "shown", "replies", "code"} & set(shown)


@pytest.mark.parametrize("game", GAMES)
def test_a_visitor_and_a_player_finish_a_lesson_by_the_api(program: Programs, game: str) -> None:
    for one in (program(), program("ann")):
        ids = [step["id"] for step in one.get(f"lessons/{game}")["steps"]]
        for id_ in ids:
            step = lesson_of(game).step(id_)
            assert step is not None
            line = right_line(game, step)
            for count in range(1, len(line) + 1):
                found = one.post(f"lessons/{game}/steps/{id_}", {"moves": list(line[:count])})
                assert one.status == 200, one.body
            assert found["reply"]["verdict"] == "solved"
        assert found["reply"]["is_finished"]
        assert found["text"].startswith("Lesson finished.")
    assert LessonProgress.objects.get().done == ids


def test_one_move_is_the_same_as_the_command(program: Programs) -> None:
    ann = program("ann")
    by_step = ann.post("lessons/druid/steps/block", {"move": "d3"})
    by_command = ann.post("commands/lesson", {"game": "druid", "step": "6", "moves": ["d3"]})
    assert by_step == by_command
    assert by_step["reply"]["verdict"] == "solved"
    wrong = ann.post("lessons/druid/steps/BLOCK", {"move": "a1"})
    assert wrong["reply"] | {"verdict": "wrong", "answer": "d3"} == wrong["reply"]


@pytest.mark.parametrize(
    ("path", "asked", "status", "code"),
    [
        ("lessons/hex", None, 404, "unknown-game"),
        ("lessons/hex/steps/win", {"move": "b4"}, 404, "unknown-game"),
        ("lessons/druid/steps/9", {"move": "b4"}, 404, "no-such-step"),
        ("lessons/druid/steps/win", {"move": "d2"}, 422, "druid.sarsen-on-enemy"),
        ("lessons/druid/steps/win", {"move": "zz9"}, 422, "druid.unreadable-move"),
        ("lessons/druid/steps/win", {}, 422, "lesson-try"),
        ("lessons/druid/steps/win", {"move": "b4", "moves": ["b4"]}, 422, "lesson-try"),
        ("lessons/druid/steps/win", {"moves": []}, 422, "invalid"),
        ("lessons/druid/steps/win", {"moves": ["a1"] * (MAX_MOVES + 1)}, 422, "invalid"),
        ("lessons/druid/steps/win", {"moves": ["c1", "b4"]}, 422, "line-over"),
        ("lessons/druid/steps/level", {"moves": ["a3", "a1-a3", "b1"]}, 422, "step-done"),
        (
            "lessons/druid/steps/two-threats",
            {"moves": ["d4", "a4-c4", "b1"]},
            422,
            "lesson-finished",
        ),
    ],
)
def test_what_cannot_be_tried_is_refused(
    program: Programs, path: str, asked: Any, status: int, code: str
) -> None:
    one = program()
    if asked is None:
        one.get(path)
    else:
        one.post(path, asked)
    assert (one.status, one.code) == (status, code), one.body


def test_a_line_of_a_command_is_bounded_too(program: Programs) -> None:
    one = program()
    one.post("commands/lesson", {"game": "druid", "moves": ["a1"] * (MAX_MOVES + 1)})
    assert one.status == 422
    assert one.code == "lesson-line"
    one.line(f"lesson druid 1 {'a1 ' * 300}")
    assert one.code == "lesson-line"


def test_a_try_under_one_key_counts_once(program: Programs, world: World) -> None:
    ann = program("ann")
    for _ in range(2):
        wrong = ann.post("lessons/druid/steps/win", {"move": "c1"}, Idempotency_Key="one")
        assert wrong["reply"]["verdict"] == "wrong"
    assert LessonProgress.objects.get().tries == 1
    assert AuditEntry.objects.filter(kind="lesson").count() == 1


def test_the_try_beyond_the_limit_of_a_day_is_refused_and_words_are_not(
    program: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "lesson", 1)
    ann = program("ann")
    ann.post("lessons/druid/steps/win", {"move": "c1"})
    ann.post("lessons/druid/steps/win", {"move": "b4"})
    assert ann.status == 429
    assert ann.code == "lesson-flood"
    assert int(ann.headers["Retry-After"]) > 0
    assert LessonProgress.objects.get().done == []
    hint = ann.post("lessons/druid/steps/win", {"move": "hint"})
    assert hint["reply"]["hint"] == lesson_of("druid").steps[0].hint


def test_the_answers_of_a_line_are_those_of_its_position(program: Programs) -> None:
    found = program().post("lessons/druid/steps/level", {"move": "a3"})["reply"]
    position = replayed(load("druid").start(found["options"]), found["moves"])
    assert judge(position, "a1-a3").text == "a1-a3"
    assert (found["answer"], found["own"]) == ("c1", ["a3"])
