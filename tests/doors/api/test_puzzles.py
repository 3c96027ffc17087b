"""Puzzles for programs: the list, one without what solves it, and tries to its solution."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from program import Program
from puzzle_lines import puzzle_and_move, puzzle_with, right_line
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.language.learning.puzzles import MAX_MOVES
from sarsen.learning.puzzles.shelf import playable, puzzle_of_day, puzzled
from sarsen.learning.puzzles.tries import Verdict
from sarsen.services.learning.own_puzzles import note_try
from sarsen.storage.models import PuzzleRating, PuzzleTry
from web_world import NOW

Programs = Callable[..., Program]
ANSWERS = {"answers", "proof", "solution", "level", "legal"}


@pytest.mark.parametrize("game", puzzled())
def test_all_puzzles_of_a_game_are_listed_page_by_page(program: Programs, game: str) -> None:
    visitor, found, before = program(), [], ""
    while True:
        page = visitor.get(f"puzzles?game={game}&most=30{before}")
        found += page["puzzles"]
        assert page["count"] == len(playable(game))
        if page["further"] is None:
            break
        before = f"&before={page['further']}"
    assert [one["number"] for one in found] == [one.id for one in reversed(playable(game))]


@pytest.mark.parametrize("game", puzzled())
def test_a_puzzle_is_shown_without_what_solves_it(program: Programs, game: str) -> None:
    visitor = program()
    for puzzle in playable(game)[:5]:
        shown = visitor.get(f"puzzles/{game}-{puzzle.id}")
        position = replayed(load(game).start(shown["options"]), shown["moves"])
        assert shown["position"] == position.write()
        assert shown["side"] == position.sides[position.seat]
        assert (shown["task"], shown["within"]) == (puzzle.task, puzzle.within)
        assert not ANSWERS & set(shown)
        assert shown["first"] == []
        asked = visitor.get(f"puzzles/{game}-{puzzle.id}?solutions=true")
        assert asked == shown | {"first": list(puzzle.first)}


def test_a_visitor_and_a_player_solve_a_puzzle(program: Programs) -> None:
    puzzle = puzzle_with(moves=3)
    line = right_line("druid", puzzle)
    for one in (program(), program("ann")):
        for count in range(1, len(line) + 1):
            found = one.post(f"puzzles/druid-{puzzle.id}/tries", {"moves": list(line[:count])})
            assert one.status == 200, one.body
            is_over = count == len(line)
            assert found["reply"]["result"] == ("solved" if is_over else "right")
            assert bool(found["reply"]["solution"]) == is_over
        assert found["reply"]["is_finished"]
        assert found["text"].startswith("Solved.")
    assert found["reply"]["change"] == 40
    assert PuzzleTry.objects.get().result == "solved"
    shown = program().get(f"puzzles/druid-{puzzle.id}")
    assert (shown["tries"], shown["solved"]) == (1, 1)
    assert shown["rating"] < puzzle.rating


def test_a_try_tells_nothing_but_what_it_tried(program: Programs) -> None:
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    told = program().post(f"puzzles/druid-{puzzle.id}/tries", {"moves": [wrong]})["reply"]
    assert (told["result"], told["solution"], told["answer"]) == ("not-proved", [], "")
    assert right_line("druid", puzzle)[0] not in json.dumps(
        {name: value for name, value in told.items() if name not in ("moves", "met")}
    )


def test_a_try_is_the_same_as_the_command(program: Programs) -> None:
    puzzle, late = puzzle_and_move(Verdict.LATE)
    ann = program("ann")
    by_try = ann.post(f"puzzles/DRUID-{puzzle.id}/tries", {"moves": [late]})
    by_command = ann.post(
        "commands/puzzle", {"game": "druid", "puzzle": puzzle.id, "moves": [late]}
    )
    assert by_try == by_command
    assert by_try["reply"]["result"] == "late"
    assert not PuzzleRating.objects.exists()


def test_show_gives_a_solution(program: Programs) -> None:
    puzzle = puzzle_with(moves=2)
    shown = program().post(f"puzzles/druid-{puzzle.id}/tries", {"moves": ["show"]})["reply"]
    assert tuple(shown["solution"][::2]) == right_line("druid", puzzle)


def test_the_puzzle_of_the_day_is_chosen_by_its_date(program: Programs) -> None:
    found = program().get("puzzles/daily?game=visavis")
    assert found["number"] == puzzle_of_day("visavis", NOW.date()).id
    assert not ANSWERS & set(found)
    assert found["first"] == []


def test_a_try_under_one_key_counts_once(program: Programs) -> None:
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    ann = program("ann")
    path, asked = f"puzzles/druid-{puzzle.id}/tries", {"moves": [wrong]}
    first = ann.post(path, asked, Idempotency_Key="one")
    assert ann.post(path, asked, Idempotency_Key="one") == first
    assert PuzzleRating.objects.filter(puzzle=None).get().tries == 1


@pytest.mark.usefixtures("no_gyges")
@pytest.mark.parametrize(
    ("path", "asked", "status", "code"),
    [
        ("puzzles?game=hex", None, 404, "unknown-game"),
        ("puzzles?game=gyges", None, 404, "no-puzzles"),
        ("puzzles", None, 422, "invalid"),
        ("puzzles/druid-999999", None, 404, "no-such-puzzle"),
        ("puzzles/druid", None, 422, "invalid"),
        ("puzzles/hex-1", None, 404, "unknown-game"),
        ("puzzles/daily?game=gyges", None, 404, "no-puzzles"),
        ("puzzles/druid-1/tries", {"moves": ["zz9"]}, 422, "druid.unreadable-move"),
        ("puzzles/druid-1/tries", {"moves": []}, 422, "invalid"),
        ("puzzles/druid-1/tries", {}, 422, "invalid"),
        ("puzzles/druid-1/tries", {"moves": ["a1"] * (MAX_MOVES + 1)}, 422, "invalid"),
        ("puzzles/druid-999999/tries", {"moves": ["a1"]}, 404, "no-such-puzzle"),
    ],
)
def test_what_there_is_not_is_refused(
    program: Programs, path: str, asked: Any, status: int, code: str
) -> None:
    one = program()
    if asked is None:
        one.get(path)
    else:
        one.post(path, asked)
    assert (one.status, one.code) == (status, code), one.body


def test_own_puzzles_that_are_due_are_listed_with_the_days(program: Programs, world: Any) -> None:
    ann, board = program("ann"), world.board("visavis", "A3", options="-size=5")
    assert ann.post("commands/puzzle-days", {"what": "days"})["reply"]["again"] == []
    note_try(world.player("ann"), board, 1, 1, timezone.now() - timedelta(days=1), is_solved=False)
    again = [f"review {board} again 1"]
    assert ann.post("commands/puzzle-days", {"what": "days"})["reply"]["again"] == again
    assert program("bob").post("commands/puzzle-days", {"what": "days"})["reply"]["again"] == []
