"""Puzzles in full screen, against a real API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from textual.pilot import Pilot
from textual.widgets import Static

from puzzle_lines import right_line
from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.home_screen import HomeScreen
from sarsen.doors.tui.learning.puzzle_screen import PuzzleScreen
from sarsen.doors.tui.prompts import ChoiceScreen
from sarsen.doors.tui.server import ServerConnection
from sarsen.learning.puzzles.puzzle import puzzles_of
from sarsen.services.accounts import tokens
from sarsen.storage.models import PuzzleTry
from web_world import World

PATIENCE = 120.0  # seconds until something must have come; a limit, never a wait
pytestmark = pytest.mark.slow


async def until(pilot: Pilot[None], is_so: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends, "it never came"
        await pilot.pause(0.1)


def test_a_puzzle_is_solved_by_keys_from_the_list_of_boards(
    transactional_db: Any, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program listens in a thread that ends with the next connection.
    monkeypatch.setattr("sarsen.doors.api.streams.THREAD_SECONDS", 1)
    ann = World(timezone.now()).player("ann")
    token = tokens.make(ann, "tests", ["read", "play"], timezone.now()).secret
    app = TerminalApp(ServerConnection(live_server.url, token), "ann", live_server.url)

    def screen() -> PuzzleScreen | None:
        return next((one for one in app.screen_stack if isinstance(one, PuzzleScreen)), None)

    def number() -> int:
        shown = screen()
        return shown.reply.puzzle if shown and shown.reply and shown.taps else 0

    def said() -> str:
        shown = screen()
        return str(shown.query_one("#message", Static).content) if shown else ""

    async def story(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("P")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press(*"visavis", "enter")
        await until(pilot, number)
        first = number()
        assert "to move. Keep the win: " in said()
        *moves, last = right_line("visavis", puzzles_of("visavis")[first])
        for at, move in enumerate(moves, start=1):
            await pilot.press(*move.lower(), "enter")
            await until(pilot, lambda at=at: len(own()) == at and "Right. " in said())
        await pilot.press(*last.lower(), "enter")
        await until(pilot, lambda: "Solved. " in said())
        assert "Your rating at puzzles of Visavis" in said()
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press(*"next", "enter")
        await until(pilot, lambda: number() not in (0, first))
        await pilot.press(*"show", "enter")
        await until(pilot, lambda: "A solution: " in said())
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    def own() -> tuple[str, ...]:
        shown = screen()
        return shown.reply.own if shown and shown.reply else ()

    async def play() -> None:
        async with app.run_test(size=(80, 30)) as pilot:
            await story(pilot)

    asyncio.run(play())
    results = list(PuzzleTry.objects.order_by("pk").values_list("result", flat=True))
    assert results == ["solved", "failed"]
