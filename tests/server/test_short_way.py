"""The short way of programs' requests answers what the whole way answers."""

from __future__ import annotations

import gzip
import json
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client
from django.test.client import ClientHandler
from django.utils import timezone

from sarsen.server.application import ShortWay, programs_first
from sarsen.services.accounts import tokens
from web_world import World

pytestmark = pytest.mark.django_db
PACKED = ("boards/", "games")  # long answers; with short ones it is chance


class ShortHandler(ClientHandler):
    """What the test client sends requests through, on the short way."""

    load_middleware = ShortWay.load_middleware


def both_answers(world: World, method: str, path: str, asked: Any = None) -> list[Any]:
    """Ask the same over both ways, as ann's program."""
    made = tokens.make(world.player("ann"), "tests", ("read", "play"), timezone.now())
    found = []
    for handler in (ClientHandler(), ShortHandler()):
        client = Client(SERVER_NAME="sarsen.test")
        client.handler = handler
        headers = {"Authorization": f"Bearer {made.secret}"}
        if path.startswith(PACKED):
            headers["Accept-Encoding"] = "gzip"
        body = {"data": json.dumps(asked), "content_type": "application/json"} if asked else {}
        answer = getattr(client, method)(f"/api/v1/{path}", headers=headers, **body)
        found.append((answer.status_code, _told(answer.headers), _plain(answer)))
    return found


def _told(headers: Any) -> dict[str, list[str]]:
    """Return headers by name; the parts of a policy have no order."""
    told = {name: sorted(text.split("; ")) for name, text in headers.items()}
    assert "Content-Security-Policy" in told
    # What is packed has a random length, by which a short body is packed or not; and nobody
    # looks at a program's cookies.
    told.pop("Content-Encoding", None)
    vary = [one for one in headers.get("Vary", "").split(", ") if one not in ("", "Cookie")]
    return told | {"Content-Length": [], "Vary": vary}


def _plain(answer: Any) -> bytes:
    body: bytes = answer.getvalue()
    is_packed = answer.headers.get("Content-Encoding") == "gzip" and body
    return gzip.decompress(body) if is_packed else body


@pytest.mark.parametrize(
    ("method", "path", "asked"),
    [
        ("get", "boards/{board}", None),
        ("get", "games", None),
        ("head", "games", None),
        ("get", "nothing", None),
        ("post", "nothing", {"board": 1}),
        ("get", "commands/move", None),
        ("post", "commands/show", {"boards": [[1, None]]}),
        ("post", "commands/move", {"board": 1, "text": "nonsense"}),
        ("post", "line", {"line": "games ann"}),
    ],
)
def test_short_way_answers_as_the_whole_way(method: str, path: str, asked: Any) -> None:
    world = World()
    board = world.board()
    whole, short = both_answers(world, method, path.format(board=board), asked)
    assert short == whole


@pytest.mark.parametrize(
    ("path", "shown", "is_short"),
    [
        ("/api/v1/commands/move", "Bearer sarsen_x", True),
        ("/api/v1/commands/move", "bearer sarsen_x", True),
        ("/api/v1/commands/move", "", False),
        ("/api/v1/docs", "Bearer sarsen_x", False),
        ("/boards/1/", "Bearer sarsen_x", False),
        ("/api/v10", "Bearer sarsen_x", False),
    ],
)
def test_only_a_program_with_a_token_goes_the_short_way(
    path: str, shown: str, is_short: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ShortWay, "__call__", lambda *_: [b"short"])
    environ: dict[str, Any] = {"PATH_INFO": path, "HTTP_AUTHORIZATION": shown}
    setup_testing_defaults(environ)
    taken = programs_first(lambda *_: [b"whole"])(environ, lambda *_: bytes)
    assert list(taken) == [b"short" if is_short else b"whole"]
