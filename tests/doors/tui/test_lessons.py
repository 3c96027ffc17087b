"""Lessons in full screen, against a real API: the same steps, by keys and by typed moves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from textual.pilot import Pilot
from textual.widgets import Static

from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.learning.lesson_screen import LessonScreen
from sarsen.doors.tui.prompts import ChoiceScreen
from sarsen.doors.tui.server import ServerConnection
from sarsen.services.accounts import tokens
from sarsen.storage.models import LessonProgress
from web_world import World

PATIENCE = 120.0  # seconds until something must have come; a limit, never a wait
pytestmark = pytest.mark.slow


async def until(pilot: Pilot[None], is_so: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends, "it never came"
        await pilot.pause(0.1)


def test_a_lesson_is_taken_by_keys_from_the_list_of_boards(
    transactional_db: Any, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program listens in a thread that ends with the next connection.
    monkeypatch.setattr("sarsen.doors.api.streams.THREAD_SECONDS", 1)
    ann = World(timezone.now()).player("ann")
    token = tokens.make(ann, "tests", ["read", "play"], timezone.now()).secret
    app = TerminalApp(ServerConnection(live_server.url, token), "ann", live_server.url)

    def lesson() -> LessonScreen | None:
        return next((one for one in app.screen_stack if isinstance(one, LessonScreen)), None)

    def is_at(step: str) -> bool:
        screen = lesson()
        if screen is None or screen.reply is None or screen.taps is None:
            return False
        return screen.reply.step == step

    def said() -> str:
        screen = lesson()
        return str(screen.query_one("#message", Static).content) if screen else ""

    async def story(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press(*"druid", "enter")
        await until(pilot, lambda: is_at("win"))
        assert "Step 1 of 8: You are V." in said()
        assert "Marked: b4" in said()
        await pilot.press("c", "1", "enter")
        await until(pilot, lambda: "Not yet." in said())
        await pilot.press("d", "2", "enter")
        await until(pilot, lambda: "druid.sarsen-on-enemy" in said())
        await pilot.press("escape")
        screen = lesson()
        assert screen is not None
        screen.picture.cursor = "b4"
        screen.picture.focus()
        await pilot.press("enter")  # a sarsen is meant as soon as no lintel begins there
        await until(pilot, lambda: is_at("own-ground"))
        assert said().startswith("Right. That is the whole aim.")
        await pilot.press("a", "2", "enter")
        await until(pilot, lambda: is_at("lintel"))
        assert said().startswith("Refused, as meant.")
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press(*"skip", "enter")
        await until(pilot, lambda: is_at("lintel-wins"))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    async def running() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await story(pilot)

    asyncio.run(running())
    app.listener.join(PATIENCE)
    assert LessonProgress.objects.get().done == ["win", "own-ground"]
