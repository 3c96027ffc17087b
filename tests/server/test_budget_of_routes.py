"""No route escapes the budget of visitors: each is charged, or stands here with its reason."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from sarsen.doors.web.frame.live_updates import with_long_polls
from sarsen.doors.web.learning import analysis_stream
from sarsen.server import visitors
from sarsen.server.application import programs_first
from sarsen.services.limits.rates import Allowances
from server.test_short_way import ShortHandler
from web_world import World

NOT_CHARGED = {
    "live": "one look at the database serves all who wait, and a network may hold 64 of them",
}
# Of programs, on the short way, that show a token that is none.
NEEDS_NO_TOKEN = {
    "openapi": "made once, and sent from memory",
    "api:api-root": "says that there is nothing",
}
WORDS = {
    "name": "druid",
    "userid": "ann",
    "theme": "light",
    "subject": "druid",
    "size": 192,
    "ply": 1,
    "event": 1,
}


@dataclass(frozen=True)
class Route:
    """One address of the server.

    Attributes:
        name: With its namespace.
    """

    name: str
    path: str


def routes(board: int) -> list[Route]:
    """Return an address for each pattern that the server knows, but those of operators."""
    return [
        Route(name, reverse(name, kwargs=words(pattern, board)))
        for name, pattern in named(get_resolver())
    ]


def named(resolver: Any, space: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = ":".join(filter(None, (space, pattern.namespace or "")))
            if pattern.namespace != "admin":
                yield from named(pattern, inner)
        elif pattern.name:
            yield ":".join(filter(None, (space, pattern.name))), pattern


def words(pattern: URLPattern, board: int) -> dict[str, Any]:
    """Return words that fit into a pattern: of things that there are, where that is easy."""
    numbers = {"board": board, "number": board}
    return {
        name: numbers.get(name, WORDS.get(name, "x" if name in ("token", "key", "code") else 1))
        for name in pattern.pattern.converters
    }


@pytest.fixture
def board(db: None) -> int:
    return World().board(moves="a1 b2")


def test_names_that_are_free_or_open_are_names_of_addresses(board: int) -> None:
    known = {route.name for route in routes(board)}
    assert known >= visitors.FREE | visitors.OPEN
    assert NOT_CHARGED.keys() | NEEDS_NO_TOKEN.keys() <= known


def test_every_route_is_charged_to_the_visitor_who_asks(
    board: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[float] = []

    def spend(self: Allowances, name: str, now: datetime, amount: float) -> None:
        spent.append(amount)

    ticks = itertools.count()
    monkeypatch.setattr("time.thread_time", lambda: float(next(ticks)))  # each look a second
    monkeypatch.setattr(Allowances, "spend", spend)
    monkeypatch.setattr(analysis_stream, "MAX_SECONDS", 0.0)  # nobody searches here
    reached: list[str] = []
    answering = with_long_polls(
        programs_first(lambda environ, start: [reached.append(environ["PATH_INFO"])]),  # type: ignore[func-returns-value,list-item]
        begin=lambda: None,
    )
    free = []
    for route in routes(board):
        environ: dict[str, Any] = {"PATH_INFO": route.path, "QUERY_STRING": "seconds=0"}
        setup_testing_defaults(environ)
        answering(environ, lambda *_: bytes)
        spent.clear()
        answer = Client(REMOTE_ADDR="192.0.2.1").get(f"{route.path}?seconds=0&legal_moves=true")
        is_charged = reached[-1:] == [route.path] and sum(spent) >= 1
        if answer.streaming and is_charged:
            spent.clear()
            list(answer.streaming_content)  # made when it is sent
            is_charged = sum(spent) >= 1
        if not is_charged:
            free.append(route.name)
    assert free == list(NOT_CHARGED)


def test_program_with_a_token_that_is_none_is_refused_before_anything_is_done_for_it(
    board: int,
) -> None:
    client = Client()
    client.handler = ShortHandler()
    headers = {"Authorization": "Bearer sarsen_nobodys"}
    served = set()
    for route in routes(board):
        if not route.path.startswith("/api/v1/") or route.path == "/api/v1/docs":
            continue  # these come over the whole way
        answers = [
            client.get(route.path, headers=headers),
            client.post(route.path, {}, content_type="application/json", headers=headers),
        ]
        if {answer.status_code for answer in answers} - {401, 405}:
            served.add(route.name)
    assert served == set(NEEDS_NO_TOKEN)
