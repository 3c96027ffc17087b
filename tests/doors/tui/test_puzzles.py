"""Puzzles in full screen, against a real API: solved, voted on, and those of the last days."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable

from puzzle_lines import puzzle_and_move, right_line
from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.learning.days_screen import DaysScreen
from sarsen.doors.tui.learning.puzzle_screen import PuzzleScreen
from sarsen.doors.tui.prompts import ChoiceScreen
from sarsen.learning.puzzles.puzzle import puzzles_of
from sarsen.learning.puzzles.tries import Verdict
from sarsen.storage.models import PuzzleReport, PuzzleTry, PuzzleVote

from .conftest import Seat, choose, run, said, seen, typed, until

pytestmark = pytest.mark.ci


def number(app: TerminalApp) -> int:
    """Return which puzzle can be answered; 0 for none."""
    shown = app.screen
    return shown.reply.puzzle if isinstance(shown, PuzzleScreen) and shown.reply else 0


def own(app: TerminalApp) -> tuple[str, ...]:
    shown = app.screen
    return shown.reply.own if isinstance(shown, PuzzleScreen) and shown.reply else ()


async def solve(app: TerminalApp, pilot: Pilot[None]) -> None:
    """Solve the puzzle of Visavis that is shown."""
    *moves, last = right_line("visavis", puzzles_of("visavis")[number(app)])
    for at, move in enumerate(moves, start=1):
        await typed(pilot, move.lower())
        await until(pilot, lambda at=at: len(own(app)) == at and "Right. " in said(app))
    await typed(pilot, last.lower())
    await until(pilot, lambda: "Solved." in said(app))


def test_a_puzzle_is_solved_by_keys_from_the_list_of_boards_and_voted_on(ann: Seat) -> None:
    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("P")
        await choose(pilot, "visavis")
        await until(pilot, lambda: number(app))
        first = number(app)
        assert "to move. Keep the win: " in said(app)
        assert "Bad puzzle" not in seen(app)
        await pilot.press("minus")  # nothing may be said of it yet
        await solve(app, pilot)
        assert "Thank you" not in said(app)
        assert "Your rating at puzzles of Visavis" in said(app)
        await until(pilot, lambda: "- Bad puzzle" in seen(app))
        await pilot.press("minus")
        await until(pilot, lambda: f"Thank you: visavis-{first} is a bad puzzle." in said(app))
        await pilot.press("plus")
        await until(pilot, lambda: f"Thank you: visavis-{first} is a good puzzle." in said(app))
        await pilot.press("slash")
        await choose(pilot, "next")
        await until(pilot, lambda: number(app) not in (0, first))
        await typed(pilot, "show")
        await until(pilot, lambda: "A solution: " in said(app))
        await pilot.press("slash")
        await choose(pilot, "stop")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    run(ann.app(), story)
    results = list(PuzzleTry.objects.order_by("pk").values_list("result", flat=True))
    assert results == ["solved", "failed"]
    assert [vote.is_good for vote in PuzzleVote.objects.all()] == [True]


def test_a_move_that_was_refused_is_reported(ann: Seat) -> None:
    puzzle, move = puzzle_and_move(Verdict.NOT_PROVED)

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        app.open_puzzle("druid", puzzle.id)
        await until(pilot, lambda: number(app) == puzzle.id)
        assert "It is right" not in seen(app)
        await typed(pilot, move)
        await until(pilot, lambda: "! It is right" in seen(app))
        await pilot.press("exclamation_mark")
        await until(pilot, lambda: f"was refused at druid-{puzzle.id}." in said(app))
        assert "Try again." in said(app)  # the task stays

    run(ann.app(), story)
    assert [(one.puzzle, one.line) for one in PuzzleReport.objects.all()] == [(puzzle.id, move)]


def test_a_missed_day_is_solved_later(ann: Seat) -> None:
    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("P")
        await choose(pilot, "my puzzle")
        await until(pilot, lambda: "Only you see this page." in said(app))
        table = app.screen.query_one(DataTable)
        assert table.row_count == 30
        titles = [str(column.label) for column in table.ordered_columns]
        at = next(at for at, title in enumerate(titles) if title == "Visavis 0/30")
        await pilot.press("down", *["right"] * (at - 1), "enter")
        await until(pilot, lambda: number(app))
        missed = str(number(app))
        await solve(app, pilot)
        await pilot.press("escape")
        await until(pilot, lambda: "Visavis 1/30" in seen(app))
        assert isinstance(app.screen, DaysScreen)
        row = [str(cell) for cell in app.screen.query_one(DataTable).get_row_at(1)]
        assert row[at] == f"{missed} solved"
        assert table.cursor_coordinate == (1, at)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    run(ann.app(), story)


def test_days_that_are_off_are_not_offered(ann: Seat) -> None:
    ann.client.line("puzzle days off")

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("P")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        assert "Visavis" in seen(app)
        assert "puzzle days" not in seen(app)

    run(ann.app(), story)
