"""Puzzles on pages, without script: a try, its answer, the solution, and another one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from puzzle_lines import legal_with, puzzle_and_move, puzzle_with, right_line
from sarsen.learning.puzzles import tries
from sarsen.learning.puzzles.puzzle import own_moves, puzzles_of
from sarsen.learning.puzzles.shelf import playable, puzzle_of_day, puzzled
from sarsen.learning.puzzles.tries import Verdict, judge_tries, solution
from sarsen.storage.models import PuzzleRating, PuzzleTry
from visitor import Visitor
from web_world import NOW, World

pytestmark = pytest.mark.django_db
Visit = Callable[..., Visitor]


def said(visitor: Visitor) -> str:
    return " ".join(visitor.tree.xpath("string(//*[@class='said'])").split())


def board(visitor: Visitor) -> str:
    return visitor.page.partition("<figure")[2].partition("</figure>")[0]


def test_a_visitor_solves_the_puzzle_of_the_day(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/puzzles/druid/daily/")
    puzzle = puzzle_of_day("druid", NOW.date())
    assert nobody.path == f"/puzzles/druid/{puzzle.id}/"
    assert "Puzzle of the day" in nobody.text
    *firsts, last = right_line("druid", puzzle)
    for move in firsts:
        nobody.press("Try", move=move)
        assert nobody.status == 200
        assert said(nobody).startswith("Right. ")
    nobody.press("Try", move=last)
    assert said(nobody).startswith("Solved.")
    assert not nobody.tree.xpath("//input[@id='move']")
    assert not PuzzleTry.objects.exists()
    nobody.press("Another puzzle")
    assert nobody.path != f"/puzzles/druid/{puzzle.id}/"
    assert nobody.status == 200


def test_a_player_solves_a_puzzle_and_is_rated(world: World, visit: Visit) -> None:
    ann = visit("ann")
    puzzle = puzzle_with(moves=2)
    first, second = right_line("druid", puzzle)
    ann.go(f"/puzzles/druid/{puzzle.id}/")
    assert f"Win within {puzzle.within} moves." in ann.text
    before = board(ann)
    ann.press("Try", move=first)
    assert ann.path == f"/puzzles/druid/{puzzle.id}/"
    assert said(ann).startswith("Right. ")
    assert board(ann) != before
    ann.press("Try", move=second)
    assert said(ann) == "Solved. Your rating at puzzles of Druid: 1540? (+40)."
    assert PuzzleTry.objects.get().result == "solved"
    ann.go("/puzzles/")
    assert "1 solved, your rating 1540?" in ann.text


def test_a_wrong_move_is_met_and_the_position_stays_open(visit: Visit) -> None:
    nobody = visit()
    puzzle = puzzle_with("visavis", "keep", 2)
    wrong, met = next((k, v) for k, v in puzzle.answers.items() if isinstance(v, str))
    nobody.go(f"/puzzles/visavis/{puzzle.id}/")
    before = board(nobody)
    nobody.press("Try", move=wrong)
    assert nobody.status == 422
    assert said(nobody) == f"Not proven to win. After {wrong} comes {met}. Try again."
    assert board(nobody) == before
    nobody.press("Try", move=right_line("visavis", puzzle)[0])
    assert said(nobody).startswith("Right.")


def test_a_win_that_is_too_late_may_be_tried_again(visit: Visit) -> None:
    nobody = visit()
    puzzle, late = puzzle_and_move(Verdict.LATE)
    nobody.go(f"/puzzles/druid/{puzzle.id}/")
    nobody.press("Try", move=late)
    assert said(nobody).startswith(f"Too late. {late} wins as well, but later.")
    assert nobody.tree.xpath("//input[@id='move']")


def test_a_move_that_the_rules_refuse_is_said_beside_the_field(world: World, visit: Visit) -> None:
    puzzle = puzzle_with()
    for somebody in (visit(), visit("ann")):
        somebody.go(f"/puzzles/druid/{puzzle.id}/")
        somebody.press("Try", move="z99")
        assert somebody.status == 422
        assert somebody.tree.xpath("//*[@role='alert']")
        assert somebody.tree.xpath("//input[@id='move']/@value") == ["z99"]
    assert not PuzzleTry.objects.exists()


def test_a_refused_second_move_leaves_the_first(visit: Visit) -> None:
    nobody = visit()
    puzzle = puzzle_with(moves=2)
    nobody.go(f"/puzzles/druid/{puzzle.id}/")
    nobody.press("Try", move=right_line("druid", puzzle)[0])
    before = board(nobody)
    nobody.press("Try", move="z99")
    assert (nobody.status, board(nobody)) == (422, before)
    nobody.press("Try", move=right_line("druid", puzzle)[1])
    assert said(nobody).startswith("Solved.")


def test_a_solution_is_shown_on_request_and_counts(world: World, visit: Visit) -> None:
    puzzle = puzzle_with(moves=2)
    line = " ".join(solution(judge_tries("druid", puzzle, ())))
    for somebody in (visit(), visit("ann")):
        somebody.go(f"/puzzles/druid/{puzzle.id}/?moves=show")
        assert line not in somebody.text
        somebody.press("Show a solution")
        assert f"A solution: {line}." in said(somebody)
    assert PuzzleTry.objects.get().result == "failed"
    assert PuzzleRating.objects.get(puzzle=None).rating < 1500


def _without_tokens(page: str) -> str:
    return re.sub(r'(?:value|nonce|content)="[^"]{16,}"', "", page)


def test_a_page_would_be_the_same_if_something_else_solved_its_puzzle(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = visit()
    for game in ("druid", "visavis"):
        puzzle = puzzle_and_move(Verdict.NOT_PROVED, game)[0]
        nobody.go(f"/puzzles/{game}/{puzzle.id}/")
        page = _without_tokens(nobody.page)
        wrong = legal_with(game, puzzle, Verdict.NOT_PROVED)
        other = replace(puzzle, first=(wrong,), answers={wrong: []}, proof="", level=1)
        monkeypatch.setitem(puzzles_of(game), puzzle.id, other)
        tries._judged.cache_clear()
        nobody.go(f"/puzzles/{game}/{puzzle.id}/")
        assert _without_tokens(nobody.page) == page
        nobody.press("Try", move=wrong)
        assert said(nobody).startswith("Solved.")
    tries._judged.cache_clear()


def test_taps_and_reasons_are_those_of_the_position(visit: Visit) -> None:
    nobody = visit()
    puzzle = puzzle_with(moves=2)
    first = right_line("druid", puzzle)[0]
    nobody.go(f"/puzzles/druid/{puzzle.id}/moves.json?moves={first}")
    assert json.loads(nobody.page)["moves"]
    nobody.go(f"/puzzles/druid/{puzzle.id}/reason.json?try=z99")
    assert "z99" in nobody.page or "reason" in nobody.page


def test_another_puzzle_is_one_that_was_not_seen(world: World, visit: Visit) -> None:
    ann, seen = visit("ann"), set()
    ann.go("/puzzles/druid/")
    for _ in range(6):
        ann.press("Another puzzle")
        seen.add(ann.path)
    assert len(seen) == 6


def test_visitors_go_through_all_puzzles(visit: Visit) -> None:
    nobody, seen = visit(), set()
    game = min(puzzled(), key=lambda name: len(playable(name)))
    nobody.go(f"/puzzles/{game}/")
    for _ in playable(game):
        seen.add(nobody.path)
        nobody.press("Another puzzle")
    assert len(seen) == len(playable(game))


def test_all_games_with_puzzles_are_listed(visit: Visit) -> None:
    nobody = visit()
    nobody.go("/puzzles/")
    assert f"{len(playable('druid'))} puzzles" in nobody.text
    assert nobody.tree.xpath("//a[@href='/puzzles/visavis/daily/']")


@pytest.mark.usefixtures("no_gyges")
@pytest.mark.parametrize(
    "path",
    ["/puzzles/hex/", "/puzzles/gyges/", "/puzzles/druid/999999/", "/puzzles/gyges/daily/"],
)
def test_what_there_is_not_is_a_page_that_says_so(visit: Visit, path: str) -> None:
    nobody = visit()
    nobody.go(path)
    assert nobody.status == 404
    assert "puzzle" in nobody.text


def test_a_page_is_in_the_language_of_its_reader(visit: Visit) -> None:
    nobody = visit()
    puzzle = puzzle_with(task="save", moves=1)
    wrong = legal_with("druid", puzzle, Verdict.NOT_PROVED)
    nobody.client.cookies["language"] = "de"
    nobody.go(f"/puzzles/druid/{puzzle.id}/")
    assert "Rette die Partie" in nobody.text
    nobody.press("Ausprobieren", move=wrong)
    assert said(nobody).startswith("Nicht gerettet.")


def test_a_longer_line_than_any_puzzle_has_is_refused(visit: Visit) -> None:
    nobody = visit()
    puzzle = puzzle_with()
    assert own_moves(puzzle.answers) < 20
    nobody.go(f"/puzzles/druid/{puzzle.id}/?" + "&".join(["moves=b3"] * 40))
    assert nobody.status == 422


@pytest.mark.usefixtures("no_gyges")
def test_the_feed_has_the_puzzles_of_two_weeks_with_pictures(visit: Visit) -> None:
    client = visit().client
    response = client.get("/puzzles/druid.atom")
    page = response.getvalue().decode()
    assert response.status_code == 200
    assert page.count("<entry>") == 14
    for back in (0, 13):
        puzzle = puzzle_of_day("druid", NOW.date() - timedelta(days=back))
        assert f"http://sarsen.test/puzzles/druid/{puzzle.id}/" in page
        assert f"/puzzles/druid/{puzzle.id}.svg" in page
    picture = client.get(f"/puzzles/druid/{puzzle_of_day('druid', NOW.date()).id}.svg")
    assert picture.getvalue().startswith(b"<svg")
    assert client.get("/puzzles/gyges.atom").status_code == 404


@pytest.mark.usefixtures("no_gyges")
def test_the_puzzle_of_the_day_may_be_framed_and_sets_no_cookie(visit: Visit) -> None:
    nobody = visit()
    puzzle = puzzle_of_day("visavis", NOW.date())
    response = nobody.client.get("/puzzles/visavis/daily/embed/")
    page = response.content.decode()
    assert f'href="http://sarsen.test/puzzles/visavis/{puzzle.id}/"' in page
    assert "<svg" in page
    assert not response.cookies
    assert "X-Frame-Options" not in response.headers
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert nobody.client.get("/puzzles/gyges/daily/embed/").status_code == 404
