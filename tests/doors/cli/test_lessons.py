"""`sarsen lesson`: a lesson at a terminal, without a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from sarsen import drawing
from sarsen.games import load
from sarsen.learning.lessons import Success, lesson_of, start_of, taught
from sarsen.server.command import main

OURS = ("druid", "gyges", "vasco", "visavis")


def sarsen(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["lesson", *words], input=typed)


def told(*words: str) -> dict[str, object]:
    facts: dict[str, object] = json.loads(sarsen(*words, "--json").stdout)
    return facts


def test_the_first_step_is_shown_with_its_board_task_and_marks() -> None:
    printed = sarsen("druid", typed="stop\n").stdout
    step = lesson_of("druid").steps[0]
    assert drawing.text(start_of("druid", step)) in printed
    assert f"Step 1 of 8: {step.task}" in printed
    assert "Marked: b4" in printed
    assert printed.endswith("To go on: sarsen lesson druid 1\n")


def test_a_wrong_move_a_refused_one_and_the_right_one() -> None:
    printed = sarsen("druid", typed="c1\nd2\nB4\na2\n").stdout
    wrong, refused, right, meant = (
        printed.index(words)
        for words in (
            "Not yet. Bottom and top are still apart.",
            "[druid.sarsen-on-enemy]",
            "Right. That is the whole aim.",
            "Refused, as meant.",
        )
    )
    assert wrong < refused < right < meant
    # The end of what is typed stops the lesson, as Ctrl-D does.
    assert "To go on: sarsen lesson druid 3" in printed


def test_the_move_is_shown_after_three_tries_as_it_is_when_asked_for() -> None:
    shown = "The move is b4: play it and see."

    def printed(typed: str) -> str:
        return " ".join(sarsen("druid", typed=typed).stdout.split())

    assert shown not in printed("c1\nc2\n")
    assert shown in printed("c1\nc2\nc3\n")
    assert shown in printed("show\n")
    assert "where does the chain stop?" in sarsen("druid", typed="HINT\n").stdout


def test_german_words_are_understood_and_board_draws_all_of_it_again() -> None:
    printed = sarsen("druid", "6", typed="Tipp\nzeig\nboard\nweiter\nzurück\nstopp\n").stdout
    for said in ("Look along row 3", "The move is d3", "Step 7 of 8", "waits for you at step 6"):
        assert said in " ".join(printed.split())
    assert printed.count(drawing.text(start_of("druid", lesson_of("druid").steps[5]))) == 3


def test_steps_are_skipped_and_gone_back_to() -> None:
    printed = sarsen("druid", "7", typed="skip\nback\nback\n").stdout
    places = [printed.index(f"Step {at} of 8") for at in (7, 8)]
    assert places == sorted(places)
    assert printed.count("Step 7 of 8") == 2
    assert printed.count("Step 6 of 8") == 1


def test_a_step_of_two_moves_shows_the_answer_between_them() -> None:
    printed = sarsen("druid", "level", typed="a3\na1-a3\n").stdout
    assert "Right. c1 is played." in printed
    assert "Right. You may always build on your own stones." in printed


@pytest.mark.parametrize("game", taught())
def test_the_last_step_ends_the_lesson(game: str) -> None:
    printed = sarsen(game, str(len(lesson_of(game).steps)), typed="skip\n").stdout
    assert "Lesson finished." in printed
    line = " ".join(filter(None, (game, load(game).info.quick)))
    assert f"Play it now: sarsen play {line} --bot 1" in printed


@pytest.mark.parametrize("game", [game for game in OURS if game != "vasco"])
def test_a_lesson_is_finished_by_typing_alone(game: str) -> None:
    moves: list[str] = []
    for step in lesson_of(game).steps:
        if step.success is Success.REFUSED:
            moves.append(step.shown)
        elif step.success is Success.PLAY or step.within > 1:
            moves.append("skip")
        else:
            moves += [texts[0] for texts in step.accept]
    printed = sarsen(game, typed="\n".join([*moves, ""])).stdout
    assert "Lesson finished." in printed
    assert "Not yet." not in printed


def test_one_answer_is_json_for_a_program() -> None:
    first = told("druid")
    assert (first["kind"], first["step"], first["at"], first["count"]) == (
        *("LessonShown", "win", 1, 8),
    )
    right = told("druid", "win", "b4")
    assert (right["verdict"], right["step"]) == ("solved", "own-ground")
    assert told("druid", "level", "a3")["answer"] == "c1"
    assert told("druid", "win", "hint")["hint"] == lesson_of("druid").steps[0].hint
    refused = sarsen("druid", "win", "d2", "--json")
    assert refused.exit_code == sarsen("druid", "win", "d2").exit_code == 2
    assert json.loads(refused.stdout)["code"] == "druid.sarsen-on-enemy"


def test_one_answer_is_text_without_json() -> None:
    printed = sarsen("druid", "1", "b4").stdout
    assert printed.startswith("Right. That is the whole aim.")
    assert "Step 2 of 8" in printed


@pytest.mark.parametrize(
    ("words", "code"),
    [(("druid", "12"), "no-such-step"), (("chess",), "unknown-game"), ((), "lesson-game")],
)
def test_what_is_not_there_is_refused(words: tuple[str, ...], code: str) -> None:
    result = sarsen(*words)
    assert result.exit_code
    assert f"[{code}]" in result.stderr
    hint = result.stderr.splitlines()[-1].split()
    assert hint[:2] == ["sarsen", "lesson"]
    assert sarsen(*hint[2:]).exit_code == 0


def test_it_speaks_the_language_of_the_terminal_and_needs_no_django() -> None:
    check = (
        "import sys; from sarsen.server.command import main; main(standalone_mode=False); "
        "sys.exit('django' in sys.modules)"
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    ran = subprocess.run(
        [sys.executable, "-c", check, "lesson", "visavis"],
        input="B4\nstop\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment | {"LANG": "de_DE.UTF-8"},
    )
    assert ran.returncode == 0, ran.stderr
    assert "Schritt 2 von 7: Brücken kreuzen sich nie." in ran.stdout.replace("\n", " ")
    assert "O ist am Zug." in ran.stdout
    assert "Right" not in ran.stdout


def test_games_steps_and_words_are_completed() -> None:
    def completed(*words: str) -> list[str]:
        command = main.get_command(click.Context(main), "lesson")
        assert command is not None
        context = command.make_context("lesson", list(words[:-1]), resilient_parsing=True)
        (argument,) = (one for one in command.params if one.name == "words")
        return [one.value for one in argument.shell_complete(context, words[-1])]

    assert completed("dr") == ["druid"]
    assert completed("druid", "li") == ["lintel", "lintel-wins"]
    assert completed("druid", "lintel", "h") == ["hint"]
