"""Visitors cannot use up the server, the letters of players, or the mail of strangers."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from constants_for_tests import with_constants
from faults.web.attack import OTHER, Web, flood, read_all, status
from processes.conftest import Server, running_server, text_of
from sarsen.games import load
from sarsen.services.accounts import login_letters

pytestmark = pytest.mark.ci

ONE = "127.0.0.2"
MAX_MOVES = 300  # of a game that is only tried
MANY = 500  # requests, of which a few are enough
CODE = re.compile(r"(?<![\w-])(\d{8})(?!\w)")


@pytest.fixture(scope="module")
def strict_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that catches its mail, has a public address, and gives visitors little time."""
    more = {
        **with_constants({"sarsen.server.visitors.PROCESSOR_SECONDS": 0.2}),
        "SARSEN_URL": "https://play.example",
        "SARSEN_SMTP_URL": "",
    }
    yield from running_server(tmp_path_factory.mktemp("strict") / "data", more)


@pytest.fixture
def strict(strict_server: Server, count: Callable[[str, object], None]) -> Web:
    return Web(strict_server.http, count)


def get(path: str, method: str = "GET") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    return head.encode()


def post_json(path: str, body: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def seen(answer: bytes) -> tuple[int, set[bytes], bytes]:
    """Return what tells an answer from others: no tokens, addresses or times."""
    head, _, body = answer.partition(b"\r\n\r\n")
    names = {line.partition(b":")[0].lower() for line in head.split(b"\r\n")[1:]}
    return status(answer), names, re.sub(rb'="[^"]*"', b"", body)


def practice(game: str, options: str, moves: str) -> bytes:
    return get(f"/games/{game}/try/?{urlencode({'options': options, 'moves': moves})}")


def long_game() -> str:
    """Return as many moves of Druid on the largest board as an address may have."""
    position, drawn, moves = load("druid").start("-size=12"), random.Random(1), []
    while len(moves) < MAX_MOVES and position.outcome() is None:
        moves.append(position.format(drawn.choice(position.legal_moves())))
        position = position.play(position.parse(moves[-1]))
    assert len(moves) == MAX_MOVES
    return " ".join(moves)


# Practice


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (practice("vasco", "-size=600", ""), {422}),
        (practice("vasco", "-size=108", " ".join(["a1"] * 52)), {200, 503}),
        (practice("druid", "-size=12", long_game()), {200, 503}),
    ],
    ids=["too large", "largest", "longest"],
)
def test_practice_games_that_cost_most_stop_nobody(
    web: Web, asked: bytes, expected: set[int]
) -> None:
    lines = [web.send(ONE, asked) for _ in range(8)]
    assert web.answers_others("/health/", "/games/druid/")
    assert {status(read_all(line)) for line in lines} <= expected


def test_visitors_of_one_place_are_told_to_wait_when_its_time_is_used_up(strict: Web) -> None:
    asked = practice("vasco", "-size=108", " ".join(["a1"] * 52))
    with flood(strict, ONE, asked, connections=2):  # one of them would be served, as the last
        answers = (strict.ask(ONE, asked) for _ in range(MANY))
        refused = next((answer for answer in answers if status(answer) == 429), b"")
    assert re.search(rb"\r\nretry-after: [1-9]", refused, re.IGNORECASE)
    assert strict.answers_others("/health/", "/games/druid/", times=1)


# Letters


def ask_letter(web: Web, source: str, userid: str = "ann") -> int:
    return status(web.ask(source, post_json("/api/v1/login", json.dumps({"userid": userid}))))


def log_in(web: Web, source: str, code: str) -> int:
    asked = json.dumps({"userid": "ann", "code": code})
    return status(web.ask(source, post_json("/api/v1/login/code", asked)))


def next_code(server: Server) -> str:
    """Return the code of ann's next letter to log in with; others tell of new tokens."""
    while True:
        if found := CODE.search(text_of(server.next_letter("ann@ann.example"))):
            return found[1]


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Run a server for one test, which uses up what a network may ask for in a day."""
    yield from running_server(tmp_path / "data")


def test_letters_that_others_ask_for_keep_nobody_from_logging_in(
    own_server: Server, count: Callable[[str, object], None]
) -> None:
    web = Web(own_server.http, count)
    own_server.join("ann")
    own_server.join("bob")
    assert ask_letter(web, OTHER) == 202
    in_hand = next_code(own_server)
    for _ in range(11):
        assert ask_letter(web, ONE) == 202
    # They are looked up in the order in which they were asked for.
    assert ask_letter(web, OTHER, "bob") == 202
    while not CODE.search(text_of(own_server.next_letter("bob@bob.example"))):
        pass
    # The first from a new place, and what is sent before letters that nobody uses slow down.
    for _ in range(login_letters.MAX_UNUSED - 1):
        next_code(own_server)
    assert log_in(web, OTHER, in_hand) == 201
    assert ask_letter(web, OTHER) == 202
    assert log_in(web, OTHER, next_code(own_server)) == 201
    assert web.answers_others()
    web.close()


@pytest.mark.parametrize("named", [4, 6], ids=["four others", "more than an account may have"])
def test_forged_sign_up_makes_the_server_write_one_letter(
    web: Web, attacked_server: Server, named: int
) -> None:
    forged, after = f"eve@eve{named}.example", f"zoe@zoe{named}.example"
    others = [f"victim{number}@victim{named}.example" for number in range(named)]
    attacked_server.send(forged, "", subject=f"signup mallory{named} {' '.join(others)}")
    attacked_server.next_letter(forged)
    web.tried += 1
    attacked_server.send(after, "", subject=f"signup zoe{named}x")
    attacked_server.next_letter(after)  # which was asked for after all of the others
    relay = attacked_server.relay
    assert [len(relay.letters(one)) for one in (forged, *others)] == [1] + [0] * named
    assert web.answers_others()


# What there is to read


@pytest.mark.parametrize("path", ["/mail/", "/mail/1/", "/mail/1/raw/", "/mail/write/"])
def test_caught_mail_is_closed_at_a_public_address(strict: Web, path: str) -> None:
    answer = strict.ask("127.0.0.1", get(path))  # as a proxy asks that adds no header
    assert status(answer) == 404
    assert b"does not show it to anyone" in answer
    assert strict.answers_others("/health/", times=1)


@pytest.mark.parametrize(
    "body",
    ['{"userid": "ann", "userid": "bob"}', '{"userid": "ann", "userid": "ann"}'],
    ids=["two values", "one value"],
)
def test_json_that_names_a_field_twice_is_refused(web: Web, body: str) -> None:
    answer = web.ask(ONE, post_json("/api/v1/login", body))
    assert status(answer) == 400
    assert json.loads(body_of(answer))["code"] == "json"
    assert web.answers_others()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_operators_pages_look_like_pages_that_there_are_not(web: Web, method: str) -> None:
    missing = seen(web.ask(ONE, get("/nothing-here/", method)))
    assert missing[0] == 404
    for path in ("/operator", "/operator/", "/operator/login/"):
        assert seen(web.ask(ONE, get(path, method))) == missing, path
    assert web.answers_others()
