"""Programs play over the network: the example of the documents, the client, the stream."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import re
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from fences import fences
from packages import NODE, needs_node
from processes.conftest import Server, await_true, text_of
from sarsen.client import Client, Refused, Unreachable
from sarsen.language.facts import StreamEvent
from serving import serving

pytestmark = pytest.mark.ci

DOCUMENT = Path(__file__).parents[2] / "docs" / "api.md"
EXAMPLE = Path(__file__).parents[2] / "examples" / "api_bot.js"


def joined(server: Server, userid: str) -> Client:
    """Join by mail, and get a token by a code from a letter, without a browser."""
    server.join(userid)
    address = f"{userid}@{userid}.example"
    client = Client(f"http://127.0.0.1:{server.http}")
    client.ask_code(userid)
    letter = text_of(server.next_letter(address))
    found = re.search(r"\b(\d{8})\b", letter)
    assert found, letter
    made = client.use_code(userid, found[1], "tests", ("read", "play", "chat", "account"))
    assert made.userid == userid
    return client


def play_along(client: Client, stop: threading.Event) -> None:
    """Answer every board that waits with any legal move."""
    chance = random.Random(1)
    for board in client.turns():
        if stop.is_set():
            return
        client.answer(board, chance.choice(board.legal_moves))


def test_the_example_of_the_document_plays_a_game(
    shared_server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = joined(shared_server, "ann"), joined(shared_server, "bob")
    bob.line("autoaccept anyone")
    stop = threading.Event()
    opponent = threading.Thread(target=play_along, args=(bob, stop), daemon=True)
    opponent.start()
    page = DOCUMENT.read_text(encoding="utf-8")
    (example,) = [fence.text for fence in fences(page) if fence.info == "python"]
    assert len(example.splitlines()) <= 22
    example = example.replace("http://127.0.0.1:8000", ann.url).replace("bot1", "bob")
    example = example.replace("sarsen_TOKEN", ann._transport.token)
    exec(compile(example, "docs/api.md", "exec"), {})
    stop.set()
    printed = capsys.readouterr().out
    begun = re.search(r"the game has started as board (\d+)", printed)
    assert begun, printed
    # By chance two programs that move at random may also come to ply 160, where nobody has won.
    board = ann.board(int(begun[1]))
    assert board.scores is not None, "the game is not over"
    assert printed.splitlines()[-1] == board.result


@contextmanager
def bad_network(server: Server) -> Iterator[str]:
    """Pass requests on to a server; lose every fifth answer, and cut streams off in a line."""
    numbers = itertools.count()

    class Proxy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            passed = http.client.HTTPConnection("127.0.0.1", server.http)
            del self.headers["Accept-Encoding"]
            passed.request(self.command, self.path, body, dict(self.headers))
            response = passed.getresponse()
            line = response.readline()
            if next(numbers) % 5 == 0:
                return
            self.send_response(response.status)
            self.end_headers()
            self.wfile.write(line)
            if "/events" not in self.path:
                self.wfile.write(response.read())
                return
            event = next(filter(bytes.strip, response), b"")
            self.wfile.write(event[:20])

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Write no log to the output of the tests."""

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Proxy)) as url:
        yield url


@needs_node
def test_the_example_in_javascript_plays_a_game_over_a_bad_network(shared_server: Server) -> None:
    joan, bill = joined(shared_server, "joan"), joined(shared_server, "bill")
    bill.line("autoaccept anyone")
    stop = threading.Event()
    opponent = threading.Thread(target=play_along, args=(bill, stop), daemon=True)
    opponent.start()
    told = {"SARSEN_TOKEN": joan._transport.token, "OPPONENT": "bill"}
    with bad_network(shared_server) as url:
        played = subprocess.run(
            [str(NODE), str(EXAMPLE), "visavis", "-size=5"],
            env=os.environ | told | {"SARSEN_SERVER": url},
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    stop.set()
    assert played.returncode == 0, played.stderr
    begun = re.search(r"the game has started as board (\d+)", played.stdout)
    assert begun, played.stdout
    board = joan.board(int(begun[1]))
    assert board.scores is not None
    assert played.stdout.splitlines()[-1] == f"The game is over: {board.result}"


def test_a_held_stream_tells_of_a_chat_as_soon_as_it_is_said(shared_server: Server) -> None:
    carl, dora = joined(shared_server, "carl"), joined(shared_server, "dora")
    dora.line("autoaccept anyone")
    number = carl.challenge("druid", "me", "dora").reply.board
    assert number is not None
    heard: list[StreamEvent] = []

    def listen() -> None:
        for event in dora.events():
            heard.append(event)
            if event.kind == "end":
                return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    await_true(lambda: heard, "the stream never began")
    assert heard[0].kind == "hello"
    carl.chat(number, "Good luck!")
    await_true(lambda: len(heard) > 1, "the chat never came")
    assert (heard[1].kind, heard[1].facts["text"]) == ("chat", "Good luck!")
    carl.resign(number)
    listener.join(120)
    assert heard[-1].facts["how"] == "resign"
    assert heard[-1].facts["reason"] == carl.board(number).result


def test_many_follow_a_game_from_one_place(shared_server: Server) -> None:
    finn, gina = joined(shared_server, "finn"), joined(shared_server, "gina")
    gina.line("autoaccept anyone")
    number = finn.challenge("druid", "me", "gina", options="-size=3").reply.board
    assert number is not None
    heard: list[list[StreamEvent]] = [[] for _ in range(20)]

    def follow(events: list[StreamEvent]) -> None:
        visitor = Client(f"http://127.0.0.1:{shared_server.http}")
        events += visitor.board_events(number, 0)

    # More than one place may hold: the others come back.
    watchers = [threading.Thread(target=follow, args=(one,), daemon=True) for one in heard]
    for watcher in watchers:
        watcher.start()
    for client, move in zip((finn, gina) * 3, ["a1", "c1", "a2", "b2", "a3"], strict=False):
        client.move(number, move)
    for watcher in watchers:
        watcher.join(120)
    result = finn.board(number).result
    for events in heard:
        moves = [event.facts["text"] for event in events if event.kind == "move"]
        assert moves == ["a1", "c1", "a2", "b2", "a3"]
        assert events[-1].facts["reason"] == result


def test_a_revoked_token_ends_its_stream(shared_server: Server) -> None:
    hugo, inga = joined(shared_server, "hugo"), joined(shared_server, "inga")
    stream = inga._transport.lines("events", "application/x-ndjson")
    assert '"hello"' in next(stream)
    (token,) = inga._transport.ask("GET", "account/tokens")["tokens"]
    inga.revoke(token["number"])
    hugo.challenge("druid", "me", "inga")
    assert not any(stream)


def test_refusals_come_as_errors_with_code_and_hint(shared_server: Server) -> None:
    client = Client(f"http://127.0.0.1:{shared_server.http}")
    with pytest.raises(Refused) as refused:
        client.board(99_999)
    assert (refused.value.status, refused.value.code) == (404, "unknown-board")
    with pytest.raises(Refused) as unproved:
        client.move(1, "c3")
    assert unproved.value.status == 401
    with pytest.raises(Unreachable):
        Client("http://127.0.0.1:9").games()


def test_what_answers_over_the_network_is_what_the_document_says(shared_server: Server) -> None:
    address = f"http://127.0.0.1:{shared_server.http}/api/v1/"
    with urllib.request.urlopen(f"{address}openapi.json") as response:
        described: dict[str, Any] = json.loads(response.read())
    page = DOCUMENT.read_text(encoding="utf-8")
    for path in described["paths"]:
        words = path.removeprefix("/api/v1/").split("/")[0]
        assert words in page, path
    with urllib.request.urlopen(f"{address}docs") as response:
        shown = response.read().decode()
    # The page's own files, and nobody else's, are there.
    names = re.findall(r'(?:src|href)="(/[^"]+)"', shown)
    assert len(names) == 4
    for name in names:
        with urllib.request.urlopen(f"http://127.0.0.1:{shared_server.http}{name}") as response:
            assert response.status == 200


@pytest.mark.parametrize(
    ("has_token", "phases"),
    [
        (True, "coverage"),
        pytest.param(True, "examples,fuzzing,stateful", marks=pytest.mark.slow),
        # What needs no token answers a player alike.
        pytest.param(False, "coverage", marks=pytest.mark.slow),
    ],
    ids=["a player", "a player at random", "a visitor"],
)
def test_schemathesis_finds_nothing(
    server: Server, tmp_path: Path, has_token: bool, phases: str
) -> None:
    """Each bound of the schemas is tried by a player; with `--long` also by a visitor.

    With it, requests are drawn at random, too, as `tests/doors/api/test_described.py` draws them.
    The server is its own: what exists there decides how deep a request gets.
    """
    token = _begin_of_all_kinds(server)._transport.token
    address = f"http://127.0.0.1:{server.http}/api/v1/openapi.json"
    words = ["--config-file", str(Path(__file__).parent / "schemathesis.toml"), "run", address]
    words += ["--max-examples", "10", "--seed", "1", "--no-color", "--report-dir", str(tmp_path)]
    words += ["--phases", phases]
    # Three end what the rest needs; streams last: test_described has one.
    left_out = {"signoff", "revoke-token", "change-password"}
    left_out |= {"read-events", "read-board-events", "read-public-events"}
    if not has_token:
        # What needs a token refuses a visitor before it reads anything: test_authorisation.
        left_out |= set(_for_players(address))
    for name in sorted(left_out):
        words += ["--exclude-operation-id", name]
    if has_token:
        words += ["--header", f"Authorization: Bearer {token}"]
    found = subprocess.run(
        [str(Path(sys.executable).parent / "st"), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-6000:]


def _begin_of_all_kinds(server: Server) -> Client:
    """Begin as erin, with bob, what has a number or a name; return erin's client."""
    erin, bob = joined(server, "erin"), joined(server, "bob")
    bob.line("autoaccept anyone")
    for game, moves in (("druid", "a5"), ("gyges", ""), ("vasco", ""), ("visavis", "")):
        begun = erin.challenge(game, "me", "bob").reply
        assert begun.board is not None
        if moves:
            erin.move(begun.board, moves)
    bob.challenge("druid", "me", "erin")
    erin.challenge("gyges", "me", "anyone")
    for line in ("contest new druid round-robin", "contest new druid ladder"):
        erin.line(line)
    return erin


def _for_players(address: str) -> list[str]:
    """Return the operations that need a token."""
    with urllib.request.urlopen(address) as response:
        paths = json.loads(response.read())["paths"].values()
    operations = [one for path in paths for one in path.values() if isinstance(one, dict)]
    found = [one["operationId"] for one in operations if all(one.get("security", [{}]))]
    assert 0 < len(found) < len(operations)
    return found
