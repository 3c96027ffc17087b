"""Votes, refused moves, easier and harder ones, and one's own days, on pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puzzle_lines import puzzle_and_move, right_line
from sarsen.learning.puzzles.shelf import playable, puzzle_of_day
from sarsen.learning.puzzles.tries import Verdict
from sarsen.storage.models import Player, PuzzleReport, PuzzleVote
from web_world import NOW

Visit = Callable[..., Any]


def solve(visitor: Any, number: int, line: tuple[str, ...]) -> str:
    text = visitor.go(f"/puzzles/druid/{number}/")
    for move in line:
        text = visitor.press("Try", move=move)
    return str(text)


def test_a_solved_puzzle_is_voted_on_and_a_vote_is_no_ones_before(visit: Visit) -> None:
    puzzle = playable("druid")[0]
    ann = visit("ann")
    assert "Good puzzle" not in ann.go(f"/puzzles/druid/{puzzle.id}/")
    assert "Solved." in solve(ann, puzzle.id, right_line("druid", puzzle))
    assert "is a bad puzzle" in ann.press("Bad puzzle")
    solve(ann, puzzle.id, right_line("druid", puzzle))
    ann.press("Good puzzle")
    assert [vote.is_good for vote in PuzzleVote.objects.all()] == [True]
    nobody = visit("")
    assert "Good puzzle" not in solve(nobody, puzzle.id, right_line("druid", puzzle))


def test_a_move_that_was_refused_is_reported(visit: Visit) -> None:
    puzzle, move = puzzle_and_move(Verdict.NOT_PROVED)
    ann = visit("ann")
    text = solve(ann, puzzle.id, (move,))
    assert "Not proven to win." in text or "Not saved." in text
    said = ann.press("My right move was refused")
    assert f"was refused at druid-{puzzle.id}" in said
    assert [(one.puzzle, one.line) for one in PuzzleReport.objects.all()] == [(puzzle.id, move)]


def test_easier_and_harder_ones_are_asked_for(visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/puzzles/druid/")
    ratings = {one.id: one.rating for one in playable("druid")}

    def rating_after(button: str) -> int:
        ann.press(button)
        return ratings[int(ann.path.rstrip("/").rpartition("/")[2])]

    easier, harder = rating_after("An easier one"), rating_after("A harder one")
    assert easier <= 1500 - 50 < 1500 + 50 <= harder


def test_days_are_shown_to_their_player_and_can_be_hidden(visit: Visit) -> None:
    today = puzzle_of_day("druid", NOW.date())
    ann = visit("ann")
    solve(ann, today.id, right_line("druid", today))
    ann.go("/puzzles/")
    text = ann.go("/puzzles/days/")
    assert "1 of the last 30 solved" in text
    [done] = ann.tree.xpath("//ol[@class='days']//a[@class='done']/@href")
    assert done == f"/puzzles/druid/{today.id}/"
    assert len(ann.tree.xpath("(//ol[@class='days'])[1]/li")) == 30
    text = ann.press("Hide this page")
    assert "Your days are not shown." in text
    assert not ann.tree.xpath("//ol[@class='days']")
    assert "My puzzle days" not in ann.go("/puzzles/").partition("All lessons")[0]
    assert not Player.objects.get(key="ann").wants_puzzle_days
    assert "Log in" in visit("").go("/puzzles/days/")
