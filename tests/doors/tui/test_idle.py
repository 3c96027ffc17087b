"""While nothing happens nothing is done; and without its terminal the program is no more."""

from __future__ import annotations

import asyncio
import os
import pty
import threading

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static

from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.colours import Colours
from sarsen.doors.tui.prompts import TooSmall
from sarsen.doors.tui.server import ServerConnection, when_hung_up

PATIENCE = 120.0  # seconds until something must have come; a limit, never a wait
MANY = 200  # looks; a terminal still busy after so many will always be
QUIET = 6  # looks in a row without work; on a busy machine one or two say nothing


async def is_refused(pilot: Pilot[None]) -> None:
    """Wait for the last that happens by itself: the answer that there is no server."""
    for _ in range(MANY):
        if "server-address" in str(pilot.app.screen.query_one("#message", Static).content):
            return
        await pilot.pause(0.05)
    raise AssertionError("it was never said that there is no server")


async def comes_to_rest(pilot: Pilot[None]) -> bool:
    """Return whether the screen is not laid out any more, for several looks in a row."""
    laid_out: list[Screen[object]] = []
    screen = pilot.app.screen
    screen.screen_layout_refresh_signal.subscribe(screen, laid_out.append, immediate=True)
    quiet = 0
    for _ in range(MANY):
        before = len(laid_out)
        await pilot.pause(0.05)
        quiet = quiet + 1 if len(laid_out) == before else 0
        if quiet == QUIET:
            return True
    return False


def test_a_screen_at_which_nothing_happens_is_not_laid_out_again() -> None:
    app = TerminalApp(ServerConnection("no address", ""), "ann", "no address", colours=Colours.MANY)

    async def story() -> None:
        async with app.run_test(size=(30, 9)) as pilot:
            await is_refused(pilot)
            assert app.screen.query_one(TooSmall).has_class("is-shown")
            assert await comes_to_rest(pilot)
            await pilot.resize_terminal(80, 24)
            assert await comes_to_rest(pilot)
            assert not app.screen.query_one(TooSmall).has_class("is-shown")
            app.open_board(1)
            await pilot.pause()
            await is_refused(pilot)
            await pilot.press("z", "9")
            assert app.screen.query_one(Input).value == "z9"
            assert await comes_to_rest(pilot)

    asyncio.run(story())
    app.listener.join(PATIENCE)


def test_a_terminal_that_hangs_up_is_noticed_and_what_is_typed_is_left_to_others() -> None:
    outside, inside = pty.openpty()
    has_gone = threading.Event()
    when_hung_up(inside, has_gone.set)
    os.write(outside, b"c3\n")
    assert os.read(inside, 100) == b"c3\n"
    assert not has_gone.is_set()
    os.close(outside)
    assert has_gone.wait(PATIENCE)
    os.close(inside)


def test_what_is_no_terminal_cannot_hang_up() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    watching = when_hung_up(reading, lambda: pytest.fail("it was no terminal"))
    assert not watching.is_alive()
    os.close(reading)
