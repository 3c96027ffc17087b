"""Puzzles on pages: by taps on a phone, and by keys alone, without an account."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.learners import PHONE, SCREEN, Learner, due, go_and_press, tap_there
from puzzle_lines import puzzle_and_move, puzzle_with, right_line
from sarsen.learning.puzzles.tries import Verdict, judge_tries
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine


def solve(learner: Learner, game: str, choose: Any) -> None:
    """Solve a puzzle of two moves, after one that is not proven."""
    puzzle = puzzle_with(game, {"druid": "win", "visavis": "keep"}[game], 2)
    wrong = next(
        text
        for text in map(puzzle.position(game).format, puzzle.position(game).legal_moves())
        if judge_tries(game, puzzle, (text,)).verdict is Verdict.NOT_PROVED
    )
    learner.page.goto(f"{learner.url}/puzzles/{game}/{puzzle.id}/")
    own: tuple[str, ...] = ()
    for move in (wrong, *right_line(game, puzzle)):
        learner.page.locator("figure.pointable svg.board").wait_for()
        for spot in due(judge_tries(game, puzzle, own).position, move):
            choose(learner, spot)
        said = learner.page.locator(".said")
        if move == wrong:
            expect(said).to_contain_text("Not proven to win.")
            continue
        own = (*own, move)
        is_over = judge_tries(game, puzzle, own).verdict is Verdict.SOLVED
        expect(said).to_contain_text("Solved." if is_over else "Right.")
    expect(learner.page.get_by_role("button", name="Another puzzle")).to_be_focused()
    assert learner.complaints == []


def test_a_stranger_solves_a_puzzle_on_a_phone_by_taps(
    chromium: Browser, live_server: Any, world: World
) -> None:
    learner = Learner(chromium, live_server.url, **PHONE)
    solve(learner, "druid", tap_there)
    learner.page.context.close()


def test_a_stranger_solves_a_puzzle_by_keys_alone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    learner = Learner(chromium, live_server.url, **SCREEN)
    solve(learner, "visavis", go_and_press)
    learner.page.context.close()


def test_a_solution_is_one_press_away_and_another_puzzle_follows(
    chromium: Browser, live_server: Any, world: World
) -> None:
    learner = Learner(chromium, live_server.url, **SCREEN)
    puzzle, _ = puzzle_and_move(Verdict.NOT_PROVED)
    learner.page.goto(f"{learner.url}/puzzles/druid/{puzzle.id}/")
    learner.page.get_by_role("button", name="Show a solution").click()
    expect(learner.page.locator(".said")).to_contain_text("A solution: ")
    learner.press("Enter")
    expect(learner.page).not_to_have_url(f"{learner.url}/puzzles/druid/{puzzle.id}/")
    expect(learner.page.locator("h1")).to_contain_text("Druid, puzzle")
    assert learner.complaints == []
    learner.page.context.close()
