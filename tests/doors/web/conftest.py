"""A server with players, boards and caught mail, and a browser that sits beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from databases import number_anew
from visitor import Visitor
from web_world import World


@pytest.fixture
def world(db: None) -> World:
    number_anew()
    return World()


@pytest.fixture
def browser() -> Client:
    """A browser on the server's own machine."""
    return Client(SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1")


@pytest.fixture
def read(browser: Client) -> Callable[..., str]:
    """Return the text of a page that must answer 200."""

    def page(path: str, status: int = 200) -> str:
        response = browser.get(path)
        assert response.status_code == status, f"{path}: {response.status_code}"
        return response.content.decode()

    return page


@pytest.fixture
def visit(world: World) -> Callable[..., Visitor]:
    """Return a browser in which somebody, or nobody, is logged in."""

    def visitor(userid: str = "") -> Visitor:
        return Visitor(world.player(userid) if userid else None)

    return visitor
