"""A server with players and boards, and programs that call it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from databases import number_anew
from program import Program
from web_world import World


@pytest.fixture
def world(db: None) -> World:
    number_anew()
    return World()


@pytest.fixture
def program(world: World) -> Callable[..., Program]:
    """Return a program of somebody, with all scopes unless some are named, or of nobody."""

    def made(userid: str = "", scopes: str = "read play chat account") -> Program:
        return Program(world.player(userid) if userid else None, scopes.split())

    return made
