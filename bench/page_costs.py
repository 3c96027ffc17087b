"""What pages and moves cost a web process: all of its application, without a network.

Each cost stands beside a bare page of the framework in the same rounds: one template through all
middleware, for a player who is logged in. Only the ratios mean something elsewhere.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

ROUNDS = 15
IGNORED = 2  # rounds before them, in which things are made that are kept
SECRET = "b" * 32  # of the browser: a form says the same as its cookie
BARE = "bare"


@dataclass(frozen=True)
class Cost:
    """What a page or move costs.

    Attributes:
        milliseconds: Of processor, the median of the rounds.
        ratio: By a bare page of the same rounds.
        statements: That the database is asked.
    """

    page: str
    milliseconds: float
    ratio: float
    statements: int


@dataclass(frozen=True)
class Caller:
    """Somebody who asks the application, with headers of their own."""

    application: Any
    headers: Mapping[str, str]

    def get(self, path: str) -> None:
        """Load a page."""
        self._ask("GET", path, b"", 200, {})

    def post(self, path: str, kind: str, body: bytes, wanted: int, **more: str) -> None:
        """Send a body."""
        self._ask("POST", path, body, wanted, {"CONTENT_TYPE": kind, **more})

    def _ask(
        self, method: str, path: str, body: bytes, wanted: int, more: Mapping[str, str]
    ) -> None:
        plain, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": plain,
            "QUERY_STRING": query,
            "SERVER_PROTOCOL": "HTTP/1.1",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
            **self.headers,
            **more,
        }
        said: list[str] = []
        answer = self.application(environ, lambda status, *_: said.append(status))
        text = b"".join(answer)
        answer.close()
        if said != [said[0]] or not said[0].startswith(str(wanted)):
            raise RuntimeError(f"{path}: {said} {text[:300]!r}")


def measure(boards: Mapping[str, int], rounds: int = ROUNDS) -> list[Cost]:
    """Measure pages of the server that is set up, and moves at new boards of it."""
    from sarsen.server.application import make_application

    application = make_application()
    _add_bare_page()
    ann = _browser(application, "ann")
    paths = {BARE: "/bare/"}
    paths |= {"home": "/", "games": "/games/", "my boards": "/my/", "challenges": "/challenges/"}
    paths |= {f"board of {game}": f"/boards/{board}/" for game, board in boards.items()}
    paths["moves of visavis"] = f"/boards/{boards['visavis']}/moves.json"
    paths["tried at druid"] = f"/boards/{boards['druid']}/0/?try=a1"
    paths["rules of druid"] = "/games/druid/"
    paths["help"] = "/help/commands/"
    asks: dict[str, Callable[[], None]] = {
        name: (lambda path=path: ann.get(path)) for name, path in paths.items()
    }
    asks["a move by the API"] = _moves_by_api(application)
    asks["the same, with its board as text"] = _moves_by_api(application, "?text=true")
    asks["a move on the web, and its page"] = _moves_on_web(application)
    spent: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(IGNORED + rounds):
        for name, ask in asks.items():
            began = time.process_time()
            ask()
            spent[name].append(1000 * (time.process_time() - began))
    medians = {name: statistics.median(times[IGNORED:]) for name, times in spent.items()}
    return [
        Cost(name, round(one, 2), round(one / medians[BARE], 1), _statements(asks[name]))
        for name, one in medians.items()
    ]


def _statements(ask: Callable[[], None]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)


def _add_bare_page() -> None:
    """Add the smallest page of the framework to the addresses, before any is looked up."""
    from django.http import HttpRequest, HttpResponse
    from django.template import engines
    from django.urls import path

    from sarsen.server import urls

    template = engines["django"].from_string("<!doctype html><title>{{ name }}</title>")

    def show(request: HttpRequest) -> HttpResponse:
        return HttpResponse(template.render({"name": request.path}))

    urls.urlpatterns.append(path("bare/", show))


def _browser(application: Any, userid: str) -> Caller:
    from django.test import Client

    from bench.page_boards import player

    client = Client()
    client.force_login(player(userid))
    cookie = f"sessionid={client.cookies['sessionid'].value}; csrftoken={SECRET}"
    return Caller(application, {"HTTP_HOST": "127.0.0.1", "HTTP_COOKIE": cookie})


def _moves_by_api(application: Any, query: str = "") -> Callable[[], None]:
    from django.utils import timezone

    from bench.page_boards import NAMES, new_game, player
    from sarsen.services.accounts import tokens

    callers = []
    for name in NAMES:
        token = tokens.make(player(name), "bench", ("read", "play"), timezone.now()).secret
        headers = {"HTTP_HOST": "127.0.0.1", "HTTP_AUTHORIZATION": f"Bearer {token}"}
        callers.append(Caller(application, headers))
    board, moves = new_game("druid", IGNORED + ROUNDS + 2)
    plies = iter(enumerate(moves, 1))

    def play() -> None:
        ply, (seat, text) = next(plies)
        body = json.dumps({"board": board, "text": text, "ply": ply}).encode()
        key = f"{board}.{ply}"
        path = f"/api/v1/commands/move{query}"
        callers[seat].post(path, "application/json", body, 200, HTTP_IDEMPOTENCY_KEY=key)

    return play


def _moves_on_web(application: Any) -> Callable[[], None]:
    from bench.page_boards import NAMES, new_game

    browsers = [_browser(application, name) for name in NAMES]
    board, moves = new_game("druid", IGNORED + ROUNDS + 2)
    plies = iter(enumerate(moves, 1))

    def play() -> None:
        ply, (seat, text) = next(plies)
        form = {
            "csrfmiddlewaretoken": SECRET,
            "line": f"druid move {board}",
            "rest": text,
            "board": board,
            "ply": ply,
            "event": ply - 1,
            "as": NAMES[seat],
            "back": f"/boards/{board}/",
        }
        kind = "application/x-www-form-urlencoded"
        browsers[seat].post("/do/", kind, urlencode(form).encode(), 302)
        browsers[seat].get(f"/boards/{board}/")

    return play
