"""`sarsen check` finds what is wrong with a lesson, and a line that finds it again."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from lab.planted_faults import EXAMPLES, checked
from packages import run
from sarsen.games import load
from sarsen.lab.checking.lesson import lesson_is_right
from sarsen.lab.checking.walks import Finding, unnoted

NEVER = float("inf")

PLANTED = [
    ('accept = ["a3", "b3"]', 'accept = ["a3"]', "step 1 (win): accept: b3 is right, too."),
    (
        'accept = ["a3", "b3"]',
        'accept = ["a3", "b3", "c3"]',
        "step 1 (win): accept: c3 is not right.",
    ),
    ('marks = ["a3", "b3"]', 'marks = ["a4"]', "step 1 (win): marks: a4 is no place"),
    ('code = "hex.occupied"', 'code = "hex.swap"', "step 2 (taken): code: c2 is refused with"),
    ('try = "c2"', 'try = "c1"', "step 2 (taken): try: c1 is not refused."),
    ('accept = ["a2"]', 'accept = ["a2", "b3"]', "step 3 (stop): accept: b3 is not right."),
    ('accept = ["a2"]', 'accept = ["e9"]', "step 3 (stop): accept: e9 is off the board"),
    ("task = ", "tsk = ", "step 1 (win): 'tsk' is no field of a step"),
    ("[[step]]", "[[step]", "line 3"),
]


def _copied(folder: Path, old: str, new: str) -> Path:
    """Write Hex with a changed lesson into a folder."""
    shutil.copytree(EXAMPLES / "hex", folder)
    file = folder / "sarsen_hex" / "lessons.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.ci
@pytest.mark.parametrize(("old", "new", "said"), PLANTED, ids=[one[2] for one in PLANTED])
def test_a_fault_of_a_lesson_names_file_step_and_field(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    folder = _copied(tmp_path / "hex", old, new)
    (found,) = checked(folder, only="lesson")["findings"]
    assert found["code"] == "lesson"
    assert found["text"].startswith("lessons.toml")
    assert said in found["text"]


@pytest.mark.ci
def test_a_whole_check_finds_it_and_names_the_line_that_finds_it_again(tmp_path: Path) -> None:
    folder = _copied(tmp_path / "hex", 'accept = ["a3", "b3"]', 'accept = ["a3"]')
    found = {one["code"]: one for one in checked(folder, 1)["findings"]}["lesson"]
    assert found["shown"] == 'sarsen show hex -size=3 --moves "b2 a1 b1 c1"'
    again = run(tmp_path, *shlex.split(found["line"]), "--json")
    assert again.returncode == 1
    assert [one["code"] for one in json.loads(again.stdout)["findings"]] == ["lesson"]
    mended = _copied(tmp_path / "mended", 'accept = ["a3", "b3"]', 'accept = ["b3", "a3"]')
    assert checked(mended, only="lesson")["findings"] == []


@pytest.mark.parametrize("game", ["druid", "gyges"])
def test_our_lessons_are_right(game: str) -> None:
    assert list(lesson_is_right(load(game), NEVER, unnoted)) == []


def test_a_step_that_takes_too_long_is_a_note() -> None:
    found: list[Finding] = list(lesson_is_right(load("vasco"), 0.0, unnoted))
    assert {one.code for one in found} == {"lesson-time"}
    assert not any(one.is_error for one in found)
