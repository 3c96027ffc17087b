"""Puzzles by the command that every door sends: one that fits, tries, ratings, what is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from puzzle_lines import legal_with, puzzle_and_move, puzzle_with, right_line
from sarsen.core.errors import UserError
from sarsen.language.commands import TakePuzzle
from sarsen.language.learning.puzzles import PuzzleShown
from sarsen.language.translating import sentence_to_type, use_language
from sarsen.learning.puzzles import shelf
from sarsen.learning.puzzles.puzzle import Puzzle, puzzles_of
from sarsen.learning.puzzles.shelf import playable, puzzle_numbered, puzzle_of_day
from sarsen.learning.puzzles.tries import Verdict
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import PuzzleRating, PuzzleTry
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
DAY = timedelta(days=1)


def ask(game: str = "druid", by: Actor = NOBODY, after: timedelta = DAY * 0) -> PuzzleShown:
    reply = perform(TakePuzzle(game), by, "", NOW + after)
    assert isinstance(reply, PuzzleShown)
    return reply


def take(
    puzzle: Puzzle, *moves: str, game: str = "druid", by: Actor = NOBODY, **more: Any
) -> PuzzleShown:
    now = NOW + more.get("after", DAY * 0)
    reply = perform(TakePuzzle(game, puzzle.id, moves), by, more.get("request", ""), now)
    assert isinstance(reply, PuzzleShown)
    return reply


@pytest.fixture
def ann(world: World) -> Actor:
    return Actor(world.player("ann"))


@pytest.fixture
def world() -> World:
    return World()


def test_a_visitor_gets_the_puzzle_of_the_day_and_solves_it() -> None:
    today = ask()
    puzzle = puzzle_of_day("druid", NOW.date())
    assert (today.puzzle, today.result, today.solution) == (puzzle.id, "", ())
    line = right_line("druid", puzzle)
    for count in range(1, len(line)):
        assert take(puzzle, *line[:count]).result == "right"
    solved = take(puzzle, *line)
    assert (solved.result, solved.is_finished, solved.own) == ("solved", True, line)
    assert not PuzzleTry.objects.exists()
    assert not PuzzleRating.objects.exists()


def test_a_right_move_is_answered_and_the_last_one_solves(ann: Actor) -> None:
    puzzle = puzzle_with(moves=2)
    first, second = right_line("druid", puzzle)
    right = take(puzzle, first, by=ann)
    assert right.own == (first,)
    assert right.moves == (*puzzle.line, first, right.answer)
    assert f"Right. {right.answer} is played." in sentence_to_type(right)
    assert not PuzzleRating.objects.exists()  # it goes on
    solved = take(puzzle, first, second, by=ann)
    assert sentence_to_type(solved).startswith("Solved. Your rating at puzzles of Druid: 15")
    assert solved.change == 40
    row = PuzzleTry.objects.get()
    assert (row.result, row.line, row.solved_at) == ("solved", f"{first} {second}", NOW)


def test_the_first_wrong_try_counts_and_no_later_one(ann: Actor) -> None:
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    missed = take(puzzle, wrong, by=ann)
    assert (missed.result, missed.own, missed.change) == ("not-proved", (), -40)
    assert sentence_to_type(missed).startswith("Not proven to win. ")
    assert "Try again." in sentence_to_type(missed)
    again = take(puzzle, wrong, by=ann)
    assert (again.change, again.own_rating) == (0, "")
    solved = take(puzzle, *right_line("druid", puzzle), by=ann)
    assert (solved.result, solved.own_rating) == ("solved", "")
    row = PuzzleTry.objects.get()
    assert (row.result, row.solved_at) == ("failed", NOW)
    of_ann = PuzzleRating.objects.get(player=ann.player)
    assert (of_ann.tries, of_ann.solved, of_ann.rating) == (1, 0, 1460)


def test_the_puzzle_is_rated_the_other_way(ann: Actor) -> None:
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    take(puzzle, wrong, by=ann)
    of_puzzle = PuzzleRating.objects.get(player=None)
    assert of_puzzle.puzzle == puzzle.id
    assert of_puzzle.rating > puzzle.rating
    assert of_puzzle.deviation < 250


def test_a_win_that_is_too_late_counts_neither_way(ann: Actor) -> None:
    puzzle, late = puzzle_and_move(Verdict.LATE)
    told = take(puzzle, late, by=ann)
    assert (told.result, told.own, told.own_rating) == ("late", (), "")
    assert sentence_to_type(told).startswith(f"Too late. {late} wins as well, but later.")
    assert PuzzleTry.objects.get().result == ""
    assert take(puzzle, *right_line("druid", puzzle), by=ann).change == 40


def test_a_line_that_meets_a_wrong_move_is_shown() -> None:
    puzzle = next(
        one
        for one in playable("visavis")
        if any(isinstance(known, str) for known in one.answers.values())
    )
    wrong, met = next((k, v) for k, v in puzzle.answers.items() if isinstance(v, str))
    told = take(puzzle, wrong, game="visavis")
    assert told.met == tuple(met.split())
    assert f"After {wrong} comes {met}." in sentence_to_type(told)


def test_a_move_that_the_rules_refuse_is_no_try(ann: Actor) -> None:
    puzzle = puzzle_with()
    with pytest.raises(UserError):
        take(puzzle, "z99", by=ann)
    assert not PuzzleTry.objects.exists()


def test_show_gives_a_solution_and_counts_as_not_solved(ann: Actor) -> None:
    puzzle = puzzle_with(moves=3)
    line = right_line("druid", puzzle)
    shown = take(puzzle, "show", by=ann)
    assert shown.solution[::2] == line
    assert (shown.is_finished, shown.change) == (True, -40)
    assert "A solution: " in sentence_to_type(shown)
    assert take(puzzle, *line, by=ann).own_rating == ""


def test_show_after_a_right_move_begins_at_the_puzzle() -> None:
    puzzle = puzzle_with(moves=3)
    line = right_line("druid", puzzle)
    assert take(puzzle, line[0], "show").solution[::2] == line


def test_saving_moves_have_words_of_their_own() -> None:
    puzzle = puzzle_with(task="save", moves=1)
    wrong = legal_with("druid", puzzle, Verdict.NOT_PROVED)
    assert sentence_to_type(take(puzzle, wrong)).startswith("Not saved. Try again.")
    (right,) = right_line("druid", puzzle)
    solved = "Solved. It is proven that you do not lose within 2 moves."
    assert sentence_to_type(take(puzzle, right)).startswith(solved)


def test_guests_are_not_rated(ann: Actor, world: World) -> None:
    puzzle = puzzle_with()
    guest = world.player("guest-000001")
    guest.is_guest = True
    guest.save()
    assert take(puzzle, *right_line("druid", puzzle), by=Actor(guest)).own_rating == ""
    assert not PuzzleRating.objects.exists()


def test_a_retired_puzzle_is_played_by_its_number_and_unrated(
    ann: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = replace(puzzle_with(), retired="its proof was wrong")
    monkeypatch.setitem(puzzles_of("druid"), puzzle.id, puzzle)
    shelf._order.cache_clear()
    assert puzzle.id not in {one.id for one in playable("druid")}
    told = take(puzzle, *right_line("druid", puzzle), by=ann)
    assert (told.result, told.own_rating) == ("solved", "")
    assert told.retired == "its proof was wrong"
    assert not PuzzleRating.objects.exists()
    monkeypatch.undo()
    shelf._order.cache_clear()


def test_yesterdays_puzzle_is_judged_and_unrated(ann: Actor) -> None:
    puzzle = puzzle_of_day("druid", NOW.date())
    told = take(puzzle, *right_line("druid", puzzle), by=ann, after=DAY)
    assert (told.result, told.own_rating) == ("solved", "")
    assert PuzzleTry.objects.get().change is None


def test_a_player_gets_another_puzzle_near_the_rating_each_time(ann: Actor) -> None:
    given = [ask(by=ann) for _ in playable("druid")]
    near = [one for one in playable("druid") if abs(one.rating - 1500) <= 150]
    yesterday = puzzle_of_day("druid", NOW.date() - DAY)
    ids = [one.puzzle for one in given]
    known = {one.id for one in near} - {yesterday.id}
    assert set(ids[: len(known)]) == known
    assert set(ids) == {one.id for one in playable("druid")} - {yesterday.id}


def test_a_puzzle_comes_again_after_half_a_year(ann: Actor) -> None:
    first = ask(by=ann)
    assert ask(by=ann).puzzle != first.puzzle
    assert ask(by=ann, after=DAY * 179).puzzle != first.puzzle
    assert ask(by=ann, after=DAY * 360).puzzle == first.puzzle


def test_two_players_get_puzzles_in_orders_of_their_own(world: World) -> None:
    names = ("ann", "bob", "cid", "dora", "emil")
    players = [Actor(world.player(name)) for name in names]
    assert len({ask(by=player).puzzle for player in players}) > 1


def test_the_same_request_again_is_counted_once(ann: Actor) -> None:
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    first = take(puzzle, wrong, by=ann, request="once")
    assert take(puzzle, wrong, by=ann, request="once") == first
    assert PuzzleRating.objects.get(player=ann.player).tries == 1


def test_tries_have_a_limit_of_the_day(ann: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "puzzle", 2)
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    for _ in range(2):
        take(puzzle, wrong, by=ann)
    with pytest.raises(UserError) as refused:
        take(puzzle, wrong, by=ann)
    assert refused.value.code == "puzzle-flood"


@pytest.mark.usefixtures("no_gyges")
@pytest.mark.parametrize(
    ("command", "code", "hint"),
    [
        (TakePuzzle("druid", 999_999), "no-such-puzzle", "puzzle druid-"),
        (TakePuzzle("chess"), "unknown-game", "puzzle druid"),
        (TakePuzzle(""), "puzzle-game", "puzzle druid"),
        (TakePuzzle("druid", 0, ("b3",)), "puzzle-number", "puzzle druid-"),
        (TakePuzzle("druid", 1, ("b3",) * 30), "puzzle-line", "help puzzle"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(
    command: TakePuzzle, code: str, hint: str
) -> None:
    with pytest.raises(UserError) as refused:
        perform(command, NOBODY, "", NOW)
    assert refused.value.code == code
    assert refused.value.hint.startswith(hint)


def test_a_game_without_puzzles_is_refused_with_those_that_have_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shelf, "has_puzzles", lambda game: game == "druid")
    with pytest.raises(UserError) as refused:
        perform(TakePuzzle("gyges"), NOBODY, "", NOW)
    assert (refused.value.code, refused.value.hint) == ("no-puzzles", "puzzle druid")
    assert "These games have some: druid." in str(refused.value.text)


def test_nothing_of_the_answers_is_in_what_is_shown() -> None:
    for puzzle in playable("visavis"):
        facts = take(puzzle, game="visavis")
        assert (facts.answer, facts.met, facts.solution) == ("", (), ())
        assert facts.moves == puzzle.line


def test_german_has_words_for_all_results() -> None:
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    with use_language("de"):
        assert "am Zug" in sentence_to_type(take(puzzle))
        assert not sentence_to_type(take(puzzle, wrong)).startswith("Not")


def test_numbers_are_read_in_both_forms() -> None:
    from sarsen.games import names
    from sarsen.language.grammar.grammar import read_line
    from sarsen.language.grammar.tokens import Context, PuzzleContext

    def read(line: str, context: Context | None = None) -> TakePuzzle:
        command = read_line(line, context or Context(names())).command
        assert isinstance(command, TakePuzzle)
        return command

    for line in ("puzzle druid-17 b3 c4", "puzzle druid 17 b3 c4", "druid puzzle #17 b3 c4"):
        assert read(line) == TakePuzzle("druid", 17, ("b3", "c4"))
    assert read("Puzzle Druid-17 SHOW") == TakePuzzle("druid", 17, ("show",))
    assert read("puzzle druid") == TakePuzzle("druid")
    context = Context(names(), puzzle=PuzzleContext("druid", 17, ("b3",)))
    assert read("c4.", context) == TakePuzzle("druid", 17, ("b3", "c4"))
    assert read("Show!", context) == TakePuzzle("druid", 17, ("b3", "show"))
    for line in ("zeig bitte", "Lösung", "solution, please", "show"):
        assert read(line, context) == TakePuzzle("druid", 17, ("b3", "show"))
    assert read("puzzle", context) == TakePuzzle("druid")


def test_a_puzzle_may_be_asked_for_by_its_number_at_any_time(ann: Actor) -> None:
    puzzle = puzzle_numbered("druid", playable("druid")[-1].id)
    assert take(puzzle, by=ann).puzzle == puzzle.id
    assert PuzzleTry.objects.get().result == ""
