"""Lessons in full screen, against a real API: the same steps, by keys and by typed moves."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.learning.lesson_screen import LessonScreen
from sarsen.storage.models import LessonProgress

from .conftest import Seat, choose, run, said, typed, until

pytestmark = pytest.mark.ci


def is_at(app: TerminalApp, step: str) -> bool:
    """Return whether a step can be answered."""
    shown = app.screen
    is_shown = isinstance(shown, LessonScreen) and shown.taps is not None
    return is_shown and shown.reply is not None and shown.reply.step == step


def test_a_lesson_is_taken_by_keys_from_the_list_of_boards(ann: Seat) -> None:
    async def story(app: TerminalApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("L")
        await choose(pilot, "druid")
        await until(pilot, lambda: is_at(app, "win"))
        assert "Step 1 of 8: You are V." in said(app)
        assert "Marked: b4" in said(app)
        await typed(pilot, "c1")
        await until(pilot, lambda: "Not yet." in said(app))
        await typed(pilot, "d2")
        await until(pilot, lambda: "druid.sarsen-on-enemy" in said(app))
        await pilot.press("escape")
        screen = app.screen
        assert isinstance(screen, LessonScreen)
        screen.picture.cursor = "b4"
        screen.picture.focus()
        await pilot.press("enter")  # a sarsen is meant as soon as no lintel begins there
        await until(pilot, lambda: is_at(app, "own-ground"))
        assert said(app).startswith("Right. That is the whole aim.")
        await typed(pilot, "a2")
        await until(pilot, lambda: is_at(app, "lintel"))
        assert said(app).startswith("Refused, as meant.")
        await pilot.press("slash")
        await choose(pilot, "skip")
        await until(pilot, lambda: is_at(app, "lintel-wins"))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    run(ann.app(), story)
    assert LessonProgress.objects.get().done == ["win", "own-ground"]
