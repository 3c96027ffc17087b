"""The programs in examples/ do what they say."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from django.utils import timezone
from examples import chat_room
from examples.chat_room import FRESH, MAX_BYTES, Room, sentence_of

from sarsen.language.commands import ChangeNotices, PlayMove
from sarsen.services.dispatch import perform
from sarsen.services.notices.webhooks import signature, sweep_webhooks
from sarsen.services.request import Actor
from sarsen.storage.models import Player, WebhookCall
from serving import serving
from web_world import NOW, World

EXAMPLES = Path(__file__).parents[1] / "examples"
KEY = "a key"


@dataclass
class Heard:
    """What a chat room was told, and how it answers."""

    url: str = ""
    status: int = 200
    words: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def heard() -> Iterator[Heard]:
    kept = Heard()

    class Chat(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if kept.status == 200:
                kept.words.append(json.loads(body))
            self.send_response(kept.status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with served(HTTPServer(("127.0.0.1", 0), Chat)) as url:
        kept.url = url
        yield kept


@contextmanager
def served(server: HTTPServer) -> Iterator[str]:
    """Run a web server for a while; give the address of its first page."""
    with serving(server) as url:
        yield f"{url}/"


def called(url: str, facts: Any, *, key: str = KEY, at: float | None = None) -> int:
    """Call a webhook as the server does; give the status it answered with."""
    body = facts if isinstance(facts, bytes) else json.dumps(facts).encode()
    timestamp = str(int(timezone.now().timestamp() if at is None else at))
    headers = {
        "X-Sarsen-Delivery": "7",
        "X-Sarsen-Timestamp": timestamp,
        "X-Sarsen-Signature": signature(key, timestamp, body),
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            return int(answer.status)
    except HTTPError as refused:
        return refused.code


TURN = {"event": "turn", "player": "bob", "board": 7, "url": "http://sarsen.test/boards/7/"}


def test_a_game_on_the_server_is_told_in_the_chat_room(
    db: None, heard: Heard, settings: Any
) -> None:
    world = World()
    with served(chat_room.server(Room(heard.url, "", "text"), 0)) as url:
        settings.SARSEN_WEBHOOK_HOSTS = [url.split("/")[2]]
        perform(ChangeNotices("webhook", url), Actor(world.player("bob")), "", NOW)
        board = world.board("druid", "a1", options="-size=4")
        key = Player.objects.get(key="bob").webhook_key
        assert WebhookCall.objects.count() == 2  # an invitation, and a turn
        assert sweep_webhooks(timezone.now()) == 0  # the program does not know the key yet
    with served(chat_room.server(Room(heard.url, key), 0)) as url:
        settings.SARSEN_WEBHOOK_HOSTS = [url.split("/")[2]]
        Player.objects.filter(key="bob").update(webhook=url)
        WebhookCall.objects.update(due_at=NOW)
        assert sweep_webhooks(timezone.now()) == 2
        perform(PlayMove("druid", board, "b1"), Actor(world.player("bob")), "", NOW)
    address = f"http://sarsen.test/boards/{board}/"
    assert heard.words == [{"text": f"bob is to move at board {board}: {address}"}]


def test_what_is_tried_again_is_told_once_and_what_was_not_told_later(heard: Heard) -> None:
    with served(chat_room.server(Room(heard.url, KEY, "content"), 0)) as url:
        heard.status = 500
        assert called(url, TURN) == 502
        heard.status = 200
        assert [called(url, TURN), called(url, TURN)] == [204, 204]
    assert heard.words == [{"content": "bob is to move at board 7: http://sarsen.test/boards/7/"}]


def test_a_room_that_is_away_is_no_end_of_it() -> None:
    with served(chat_room.server(Room("http://127.0.0.1:9/", KEY), 0)) as url:
        assert called(url, TURN) == 502


def test_calls_of_others_are_refused(heard: Heard) -> None:
    with served(chat_room.server(Room(heard.url, KEY), 0)) as url:
        assert called(url, TURN, key="another key") == 401
        long_ago = datetime.now().timestamp() - FRESH - 5
        assert called(url, TURN, at=long_ago) == 401
        assert called(url, b"x" * (MAX_BYTES + 1)) == 413
        unsigned = urllib.request.Request(url, b"{}")
        with pytest.raises(HTTPError) as refused:
            urllib.request.urlopen(unsigned)
        assert refused.value.code == 401
    assert heard.words == []


@pytest.mark.parametrize("event", ["invitation", "message", "chat", "what-comes-later", ""])
def test_what_is_between_players_is_not_told(event: str) -> None:
    assert sentence_of({"event": event, "board": 7, "text": "secret"}) == ""


def test_the_program_starts_by_itself(heard: Heard) -> None:
    environment = {"CHAT_ROOM_URL": heard.url, "SARSEN_WEBHOOK_KEY": KEY, "PORT": "0"}
    with subprocess.Popen(
        [sys.executable, str(EXAMPLES / "chat_room.py")],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        port = program.stdout.readline().split()[-1]
        assert called(f"http://127.0.0.1:{port}/", TURN) == 204
        program.terminate()
    assert len(heard.words) == 1


def test_the_notebook_runs_and_finds_an_opening(capsys: pytest.CaptureFixture[str]) -> None:
    cells = (EXAMPLES / "openings.py").read_text("utf-8").replace("GAMES = 20", "GAMES = 3")
    names: dict[str, Any] = {}
    exec(cells, names)  # our own file
    assert names["best"] in names["start"].legal_moves()
    assert len(capsys.readouterr().out.splitlines()) == 8
