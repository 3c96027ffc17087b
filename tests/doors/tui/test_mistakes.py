"""One's own turning points in full screen, against a real API, from the board that was reviewed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from textual.pilot import Pilot

from sarsen.core.game import AnyPosition
from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.board_screen import BoardScreen
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.learning.mistake_screen import MistakeScreen
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import OwnPuzzle
from short_sight import ShortSight
from web_world import World

from .conftest import Seat, choose, run, said, seen, typed, until

pytestmark = pytest.mark.ci
SIGHT = ShortSight(3)


def think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return SIGHT(position, seed)


def reviewed(world: World, seat: Seat) -> int:
    """Play a game of ann and bob to its end, and have its review made."""
    board = world.board("visavis", "A3 C2 D3 D1 B4", options="-size=5")
    seat.client.line(f"review {board}")
    while work_step(think, Stop(), timezone.now()):
        pass
    return board


def is_at(app: TerminalApp, number: int) -> bool:
    """Return whether a turning point can be tried."""
    shown = app.screen
    is_shown = isinstance(shown, MistakeScreen) and shown.taps is not None
    return is_shown and shown.reply is not None and shown.reply.number == number


def test_mistakes_are_tried_again_from_the_board_by_keys(world: World, ann: Seat) -> None:
    board = reviewed(world, ann)

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "^r Mistakes" in seen(app))
        await pilot.press("slash")
        await choose(pilot, "try your mistakes")
        await until(pilot, lambda: is_at(app, 1))
        assert "You could have won from here (proven). How?" in said(app)
        assert "A3" not in said(app)
        await typed(pilot, "a3")
        await until(pilot, lambda: "Not that one. A3 is what was played." in said(app))
        await typed(pilot, "z99")
        await until(pilot, lambda: "visavis." in said(app))
        await pilot.press("escape")
        await typed(pilot, "b4")
        await until(pilot, lambda: "Right. In the game you played A3." in said(app))
        assert said(app).endswith("Enter: the next one")
        await pilot.press("enter")
        await until(pilot, lambda: is_at(app, 2))
        await typed(pilot, "show")
        await until(pilot, lambda: "In the game you played D3." in said(app))
        assert said(app).endswith("Enter: back")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, BoardScreen))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: is_at(app, 1))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, BoardScreen))

    run(ann.app(board), story)


def test_nobody_elses_mistakes_are_called_ones_own(world: World, ann: Seat, bob: Seat) -> None:
    board = reviewed(world, ann)
    eve = Seat(world, "eve", ann.url)

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "^r Mistakes" in seen(app))
        await pilot.press("slash")
        await choose(pilot, "find the better moves")
        await until(pilot, lambda: is_at(app, 1))
        assert "ann could have won from here (proven). How?" in said(app)

    run(eve.app(board), story)


def test_before_a_review_nothing_is_offered_and_none_is_made(world: World, ann: Seat) -> None:
    board = world.board("visavis", "A3 C2 D3 D1 B4", options="-size=5")

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "B4" in seen(app))
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert isinstance(app.screen, BoardScreen)
        assert "Mistakes" not in seen(app)

    run(ann.app(board), story)
    assert not ann.client.board(board).is_reviewed
    assert "is being reviewed: it has 6 positions" in ann.client.line(f"review {board}").text


def test_an_own_puzzle_that_is_due_is_offered_among_the_puzzles(world: World, ann: Seat) -> None:
    board = reviewed(world, ann)
    ann.client.line(f"review {board} again 1 a3")
    OwnPuzzle.objects.update(due_on=F("due_on") - timedelta(days=1))

    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("P")
        await choose(pilot, f"review {board} again 1")
        await until(pilot, lambda: is_at(app, 1))
        await typed(pilot, "stop")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    run(ann.app(), story)
