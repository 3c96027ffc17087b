"""A mistake in a `lessons.toml` names step and field, and leaves the other steps as they are."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from right_moves import faults_of
from sarsen import games
from sarsen.core.errors import UserError
from sarsen.games import load, text_file
from sarsen.learning import lessons
from sarsen.learning.lessons import FILE, lesson_of, read_lesson, step_of

GOOD = """
[[step]]
id = "win"
options = "-size=4"
moves = "b1 d3 b2 d2 b3 a3"
task = "Join bottom and top."
success = "win"
accept = ["b4"]
right = "Joined."
wrong = "Not joined."
"""
FIRST = GOOD.replace('"win"', '"first"', 1)

MISTAKES = [
    ('id = "win"', "", "id is missing"),
    ('task = "Join bottom and top."', "", "task is missing"),
    ('right = "Joined."', 'right = ""', "right is missing"),
    ('wrong = "Not joined."', "wrong = 3", "wrong = 3 is no str"),
    ('success = "win"', "", "success is missing"),
    ('success = "win"', 'success = "winning"', "success = 'winning' is none of win, safe"),
    ('accept = ["b4"]', "", "accept is missing"),
    ('accept = ["b4"]', 'accept = "b4"', "accept = 'b4' is no list"),
    ('accept = ["b4"]', "accept = [4]", "accept holds something that is no text"),
    ('accept = ["b4"]', 'accept = [["b4"], []]', "accept = [] is no list of moves"),
    ('accept = ["b4"]', 'accept = ["b9"]', "accept: There is no square b9"),
    ('accept = ["b4"]', 'accept = ["d3"]', "accept: V builds on the ground"),
    ('accept = ["b4"]', 'accept = ["b4"]\nmarks = [1]', "marks holds something"),
    ('accept = ["b4"]', 'accept = ["b4"]\nmark = ["b4"]', "'mark' is no field of a step"),
    ('accept = ["b4"]', 'accept = ["b4"]\nwithin = 0', "within and tries are at least 1"),
    ('accept = ["b4"]', 'accept = ["b4"]\ntries = "4"', "tries = '4' is no int"),
    ("-size=4", "-size=444", "options: "),
    ("b3 a3", "b3 b2", "moves: Move 6, 'b2'"),
    ("b3 a3", "b3 a3 b4", "the game is over in its position"),
    ("Join bottom and top.", "J" * 121, "task has 121 characters, at most 120"),
    ('id = "win"', 'id = "Win"', "id has capital letters"),
    ('id = "win"', 'id = "12"', "id has other signs"),
    ('id = "win"', 'id = "first"', "id 'first' is there twice"),
    ('success = "win"', 'success = "refused"', "code or try is missing"),
]


@pytest.mark.parametrize(("before", "after", "said"), MISTAKES, ids=[one[2] for one in MISTAKES])
def test_a_mistake_names_step_and_field_and_the_rest_is_read(
    before: str, after: str, said: str
) -> None:
    assert before in GOOD
    lesson, faults = read_lesson(load("druid"), FIRST + GOOD.replace(before, after, 1))
    assert [step.id for step in lesson.steps] == ["first"]
    (fault,) = map(str, faults)
    assert fault.startswith(f"{FILE}: step 2 (")
    assert said in fault


def test_a_good_file_has_no_fault() -> None:
    lesson, faults = read_lesson(load("druid"), FIRST + GOOD)
    assert ([step.id for step in lesson.steps], faults) == (["first", "win"], ())


def test_broken_toml_names_line_and_column() -> None:
    lesson, (fault,) = read_lesson(load("druid"), FIRST + "[[step]\n")
    assert lesson.steps == ()
    assert "line 11, column" in str(fault)


@pytest.mark.parametrize("text", ["step = 3", "[step]\nid = 'a'", "step = [1]"])
def test_steps_are_tables_in_a_list(text: str) -> None:
    _, (fault,) = read_lesson(load("druid"), text)
    assert "[[step]]" in str(fault)


def test_an_unknown_field_of_the_file_is_named() -> None:
    lesson, (fault,) = read_lesson(load("druid"), "titel = 'Druid'\n" + GOOD)
    assert "'titel' is no field here" in str(fault)
    assert len(lesson.steps) == 1


def test_a_lesson_has_twenty_steps_at_most() -> None:
    text = "".join(GOOD.replace('"win"', f'"s-{at}"', 1) for at in range(22))
    lesson, faults = read_lesson(load("druid"), text)
    assert (len(lesson.steps), len(faults)) == (20, 2)


def test_a_server_leaves_a_broken_step_out_and_logs_it_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = text_file("druid", FILE).replace('accept = ["b4"]', 'accept = ["b9"]', 1)
    monkeypatch.setattr(lessons, "text_file", lambda game, file: text)
    lessons._lesson.cache_clear()
    try:
        with caplog.at_level(logging.WARNING):
            kept = [step.id for step in lesson_of("druid").steps]
            lesson_of("druid")
    finally:
        monkeypatch.undo()
        lessons._lesson.cache_clear()
    assert len(kept) == 7
    assert "win" not in kept
    assert [one.getMessage() for one in caplog.records] == ["a step of a lesson is left out"]
    assert games.text_file("druid", FILE) != text


def test_steps_are_found_by_number_and_by_id() -> None:
    assert step_of("druid", "").id == step_of("druid", "1").id == step_of("druid", "WIN").id
    assert step_of("druid", "8") is step_of("druid", "two-threats")
    for word, hint in (("9", "lesson druid 8"), ("0", "lesson druid 1"), ("b4", "lesson druid 1")):
        with pytest.raises(UserError) as refused:
            step_of("druid", word)
        assert (refused.value.code, refused.value.hint) == ("no-such-step", hint)


def test_the_example_of_the_document_is_a_lesson_with_the_right_answers() -> None:
    document = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
    blocks = re.findall(r"```toml\n(\[\[step\]\].*?)```", document.read_text("utf-8"), re.S)
    lesson, faults = read_lesson(load("druid"), "\n".join(blocks))
    assert ([step.id for step in lesson.steps], faults) == (["block", "level"], ())
    assert [list(faults_of("druid", step)) for step in lesson.steps] == [[], []]


def test_the_document_names_every_field_and_every_way_to_solve() -> None:
    text = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text("utf-8")
    fields = {*lessons._TEXTS, *lessons._LISTS, *lessons._NUMBERED, *lessons.Success}
    assert {name for name in fields if f"`{name}`" not in text} == set()
