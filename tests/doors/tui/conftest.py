"""Players at a real server, with the program full screen before them."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone
from textual.pilot import Pilot
from textual.widgets import Static

from sarsen.client import Client
from sarsen.doors.tui.app import TerminalApp
from sarsen.doors.tui.colours import Colours
from sarsen.doors.tui.prompts import ChoiceScreen
from sarsen.doors.tui.server import ServerConnection
from sarsen.services.accounts import tokens
from web_world import World

PATIENCE = 120.0  # seconds until something must have come; a limit, never a wait
SCOPES = ["read", "play", "chat", "account"]


class Seat:
    """Somebody at a real server, over the network."""

    def __init__(self, world: World, userid: str, url: str) -> None:
        self.userid, self.url = userid, url
        self.token = tokens.make(world.player(userid), "tests", SCOPES, timezone.now()).secret
        self.client = Client(url, self.token)

    def app(self, board: int | None = None, colours: Colours = Colours.MANY) -> TerminalApp:
        caller = ServerConnection(self.url, self.token)
        return TerminalApp(caller, self.userid, self.url, board=board, colours=colours)


@pytest.fixture
def world(transactional_db: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    # The program listens in a thread that ends with the next connection.
    monkeypatch.setattr("sarsen.doors.api.streams.THREAD_SECONDS", 1)
    return World(timezone.now())


@pytest.fixture
def ann(world: World, live_server: Any) -> Iterator[Seat]:
    seat = Seat(world, "ann", live_server.url)
    yield seat
    seat.client.close()


@pytest.fixture
def bob(world: World, live_server: Any) -> Iterator[Seat]:
    seat = Seat(world, "bob", live_server.url)
    yield seat
    seat.client.close()


def run(
    app: TerminalApp,
    story: Callable[[TerminalApp, Pilot[None]], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
) -> None:
    async def running() -> None:
        async with app.run_test(size=size) as pilot:
            await story(app, pilot)

    asyncio.run(running())
    app.listener.join(PATIENCE)


async def until(pilot: Pilot[None], is_so: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends, "it never came"
        await pilot.pause(0.1)


async def typed(pilot: Pilot[None], text: str) -> None:
    names = {" ": "space", "/": "slash", ":": "colon", '"': "quotation_mark", "-": "minus"}
    await pilot.press(*(names.get(sign, sign) for sign in text), "enter")


def seen(app: TerminalApp) -> str:
    """Return the characters on the screen."""
    found = re.sub(r"<style.*?</style>|</text>", "", app.export_screenshot(), flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", found)).replace("\xa0", " ")


def said(app: TerminalApp) -> str:
    """Return the message of the screen that is shown; "" below a list to choose from."""
    found = app.screen.query("#message")
    return str(found.first(Static).content) if found else ""


async def choose(pilot: Pilot[None], text: str) -> None:
    """Choose from the list that opens, by typing a part."""
    await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceScreen))
    await typed(pilot, text)
