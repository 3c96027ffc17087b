"""Votes, refused moves, easier and harder puzzles, own ones, and days that are solved."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from puzzle_lines import puzzle_and_move, right_line
from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import ChangePuzzles, TakePuzzle, VotePuzzle
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context, PuzzleContext
from sarsen.language.learning.puzzle_choices import PuzzleDays, PuzzleVoted
from sarsen.language.learning.puzzles import PuzzleShown
from sarsen.language.replies import sentence
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.shelf import playable, puzzle_of_day
from sarsen.learning.puzzles.tries import Verdict
from sarsen.services.dispatch import perform
from sarsen.services.learning.own_puzzles import due_puzzles, note_try
from sarsen.services.learning.puzzle_choice import choose
from sarsen.services.learning.puzzle_listing import view_puzzle
from sarsen.services.learning.puzzle_votes import retired_here, settle
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import OwnPuzzle, PuzzleRating, PuzzleReport, PuzzleVote
from web_world import NOW, World

DAY = timedelta(days=1)


@pytest.fixture
def world(db: None) -> World:
    return World()


def do(world: World, command: Any, userid: str = "ann") -> Any:
    return perform(command, Actor(world.player(userid)), "", NOW)


def solve(world: World, puzzle: Puzzle, userid: str = "ann") -> PuzzleShown:
    shown = None
    line = right_line("druid", puzzle)
    for count in range(1, len(line) + 1):
        shown = do(world, TakePuzzle("druid", puzzle.id, line[:count]), userid)
    assert isinstance(shown, PuzzleShown)
    return shown


def refused(world: World, command: Any) -> UserError:
    with pytest.raises(UserError) as caught:
        do(world, command)
    return caught.value


def test_a_player_has_one_vote_on_a_puzzle_that_was_tried(world: World) -> None:
    puzzle = playable("druid")[0]
    vote = VotePuzzle("druid", puzzle.id, "bad")
    assert refused(world, vote).code == "puzzle-untried"
    do(world, TakePuzzle("druid", puzzle.id))  # seen, but not tried
    assert refused(world, vote).code == "puzzle-untried"
    solve(world, puzzle)
    do(world, vote)
    assert isinstance(do(world, VotePuzzle("druid", puzzle.id, "good")), PuzzleVoted)
    assert [one.is_good for one in PuzzleVote.objects.all()] == [True]
    facts = view_puzzle("druid", puzzle.id)
    assert (facts.good, facts.bad, facts.first) == (1, 0, ())
    assert view_puzzle("druid", puzzle.id, with_solution=True).first == puzzle.first


@pytest.mark.parametrize(
    ("good", "bad", "is_retired"), [(8, 12, True), (9, 12, False), (8, 11, False), (0, 19, False)]
)
def test_twenty_votes_with_sixty_percent_bad_retire_a_puzzle_here(
    world: World, good: int, bad: int, is_retired: bool
) -> None:
    ann = world.player("ann")
    puzzle = choose(ann, "druid", NOW)
    voters = [world.player(f"voter{number}") for number in range(good + bad)]
    PuzzleVote.objects.bulk_create(
        PuzzleVote(player=one, game="druid", puzzle=puzzle.id, is_good=at < good, at=NOW)
        for at, one in enumerate(voters)
    )
    assert retired_here("druid") == (frozenset({puzzle.id}) if is_retired else frozenset())
    assert (choose(ann, "druid", NOW).id != puzzle.id) is is_retired
    assert bool(solve(world, puzzle).own_rating) is not is_retired


def test_a_refused_move_is_kept_for_the_operators_once(world: World) -> None:
    puzzle, move = puzzle_and_move(Verdict.NOT_PROVED)
    do(world, TakePuzzle("druid", puzzle.id, (move,)))
    report = VotePuzzle("druid", puzzle.id, "refused", (move,))
    for _ in range(2):
        assert move in sentence(do(world, report))
    [row] = PuzzleReport.objects.all()
    assert (row.game, row.puzzle, row.line, row.settled_at) == ("druid", puzzle.id, move, None)
    settle(row, NOW)
    assert PuzzleReport.objects.get().settled_at == NOW
    for moves, code in (((), "puzzle-move"), (puzzle.first[:1], "puzzle-right")):
        found = refused(world, VotePuzzle("druid", puzzle.id, "refused", moves))
        assert found.code == code
    illegal = refused(world, VotePuzzle("druid", puzzle.id, "refused", ("zz",)))
    assert illegal.hint.startswith(f"puzzle vote druid-{puzzle.id} refused ")


def test_easier_and_harder_shift_by_two_hundred(world: World) -> None:
    ann = world.player("ann")
    for level, rating in (("easier", 1300), ("", 1500), ("harder", 1700)):
        assert abs(choose(ann, "druid", NOW, level).rating - rating) <= 150
    shown = do(world, TakePuzzle("druid", level="harder"))
    assert abs(shown.rating - 1700) <= 150


def test_tries_are_unrated_by_choice(world: World) -> None:
    answer = do(world, ChangePuzzles("rated", "off"))
    assert sentence(answer) == "Your tries at puzzles change no rating."
    assert solve(world, playable("druid")[0]).own_rating == ""
    assert not PuzzleRating.objects.exists()
    do(world, ChangePuzzles("rated", "on"))
    assert solve(world, playable("druid")[1]).own_rating


def test_a_missed_day_counts_once_its_puzzle_is_solved(world: World) -> None:
    def days() -> PuzzleDays:
        found = do(world, ChangePuzzles("days"))
        assert isinstance(found, PuzzleDays)
        return found

    def solved() -> int:
        return next(one.solved for one in days().games if one.game == "druid")

    assert solved() == 0
    solve(world, puzzle_of_day("druid", NOW.date() - 20 * DAY))
    assert solved() == 1
    said = sentence(days())
    assert "Druid: 1 of the last 30 puzzles of the day solved." in said
    for game in days().games:
        for day in game.days:
            assert (f"{game.game}-{day.puzzle}" in re.findall(r"[\w-]+", said)) != day.is_solved
    solve(world, puzzle_of_day("druid", NOW.date() - 30 * DAY))  # too long ago
    assert solved() == 1
    do(world, ChangePuzzles("days", "off"))
    assert (days().games, sentence(days())) == ((), "Your days are not shown.")
    with pytest.raises(UserError):
        perform(ChangePuzzles("days"), NOBODY, "", NOW)


def test_an_own_puzzle_comes_again_after_1_7_and_30_days(world: World) -> None:
    ann, board = world.player("ann"), world.board("visavis", "A3", options="-size=5")

    def tried(after: int, *, is_solved: bool) -> None:
        note_try(ann, board, 1, 1, NOW + after * DAY, is_solved=is_solved)

    def is_due(after: int) -> bool:
        return bool(due_puzzles(ann, (NOW + after * DAY).date()))

    tried(0, is_solved=False)
    tried(0, is_solved=True)  # before it is due, nothing changes
    assert [is_due(0), is_due(1)] == [False, True]
    tried(1, is_solved=True)
    assert [is_due(7), is_due(8)] == [False, True]
    tried(8, is_solved=False)  # from the beginning
    assert [is_due(8), is_due(9)] == [False, True]
    for after, following in ((9, 16), (16, 46), (46, 999)):
        tried(after, is_solved=True)
        assert not is_due(following - 1)
    assert OwnPuzzle.objects.get().due_on is None


def test_lines_are_read() -> None:
    def read(line: str, context: Context | None = None) -> Any:
        return read_line(line, context or Context(names(), speaker="ann")).command

    assert read("puzzle vote druid-17 Bad") == VotePuzzle("druid", 17, "bad")
    assert read("puzzle vote ann secret druid 17 good", Context(names())) == VotePuzzle(
        "druid", 17, "good"
    )
    refusing = VotePuzzle("druid", 17, "refused", ("b3", "c4"))
    assert read("puzzle vote druid-17 refused b3 c4") == refusing
    reply = Context(names(), speaker="ann", puzzle=PuzzleContext("druid", 17, ("b3",)))
    assert read("puzzle vote refused c4", reply) == refusing
    assert read("puzzle vote good", reply) == VotePuzzle("druid", 17, "good")
    assert read("puzzle druid easier") == TakePuzzle("druid", level="easier")
    assert read("puzzle druid schwerer") == TakePuzzle("druid", level="harder")
    assert read("Harder.", reply) == TakePuzzle("druid", level="harder")
    assert read("puzzle rated OFF") == ChangePuzzles("rated", "off")
    assert read("puzzle days") == ChangePuzzles("days")
    for line in ("puzzle vote druid-17", "puzzle days perhaps"):
        with pytest.raises(UserError):
            read(line)
