"""A few sockets, or a thousand, stop the web for nobody else."""

from __future__ import annotations

import select
import socket
import time
from collections import Counter

import pytest
from django.templatetags.static import static

from faults.web.attack import CLOSED_WITHIN, Web, flood, is_closed, post, read_all, status
from sarsen.doors.api.streams import STREAMS_A_CALLER

pytestmark = pytest.mark.ci

ONE, TWO = "127.0.0.2", "127.0.0.3"
GET = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\n"
LARGE = static("ninja/swagger-ui-bundle.js")  # 1.4 MB
SCRIPT = f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
MULTIPART = "multipart/form-data; boundary=b"
PART = b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'


def closed_of(lines: list[socket.socket], at_least: int) -> int:
    """Wait until so many of some connections are closed, and return how many are."""
    open_lines, limit = set(lines), time.monotonic() + CLOSED_WITHIN
    waiting = select.poll()
    by_number = {line.fileno(): line for line in lines}
    for number in by_number:
        waiting.register(number, select.POLLIN | select.POLLHUP | select.POLLERR)
    while len(lines) - len(open_lines) < at_least and time.monotonic() < limit:
        for number, _ in waiting.poll(1000):
            if is_closed(by_number[number]):
                open_lines.discard(by_number[number])
                waiting.unregister(number)
    return len(lines) - len(open_lines)


def is_given_up(line: socket.socket, bytes_a_second: int) -> bool:
    """Wait until the server is gone from a connection whose responses are hardly read."""
    limit = time.monotonic() + CLOSED_WITHIN
    while time.monotonic() < limit:
        try:
            if bytes_a_second:
                line.recv(bytes_a_second)
            line.send(b"\r\n")  # a client that only waits is not told
        except OSError:
            return True
        select.select([], [], [], 1)
    return False


def test_four_long_uploads_that_trickle_stop_nobody(web: Web) -> None:
    lines = [
        web.send(ONE, post("/login/", 400_000, kind=MULTIPART) + PART + b"x" * 1000)
        for _ in range(4)
    ]
    assert web.answers_others()
    assert [status(read_all(line)) for line in lines] == [413] * 4


@pytest.mark.parametrize("path", ["/login/", "/api/v1/commands", static("web/board.css")])
def test_body_too_long_is_refused_before_it_is_sent(web: Web, path: str) -> None:
    answer = web.ask(ONE, post(path, 300_000_000))
    assert status(answer) == 413
    assert b"300,000 bytes" in answer
    assert web.answers_others()


def test_body_without_end_is_refused_before_it_is_sent(web: Web) -> None:
    endless = GET.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n"
    assert status(web.ask(ONE, endless + b"5\r\nhello\r\n")) == 411
    assert web.answers_others()


def test_body_too_long_is_not_invited(web: Web) -> None:
    asked = post("/login/", 400_000).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    assert status(web.ask(ONE, asked)) == 413
    assert web.answers_others()


def test_body_that_was_invited_and_never_comes_stops_nobody(web: Web) -> None:
    asked = post("/login/", 400).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    for source in (ONE, TWO) * 20:
        web.send(source, asked)
    assert web.answers_others()


def test_silent_bodies_from_two_addresses_stop_nobody(web: Web) -> None:
    for source in (ONE, TWO) * 12:
        web.send(source, post("/login/", 100))
    assert web.answers_others()


def test_half_sent_bodies_from_two_addresses_stop_nobody(web: Web) -> None:
    for source in (ONE, TWO) * 30:
        web.send(source, post("/api/v1/commands", 10_000) + b"{" * 100)
    assert web.answers_others()


@pytest.mark.parametrize("said", [b"", b"GET / HT", GET], ids=["idle", "half a line", "half"])
def test_a_thousand_connections_of_one_address_stop_nobody(web: Web, said: bytes) -> None:
    lines = [web.send(ONE, said) for _ in range(1024)]
    assert web.answers_others()
    assert closed_of(lines, 1024 - 128) >= 1024 - 128


def test_address_with_too_many_connections_is_answered_again_when_they_are_gone(web: Web) -> None:
    lines = [web.send(ONE, b"") for _ in range(300)]
    closed_of(lines, 300 - 128)
    web.close()
    answer = b""
    limit = time.monotonic() + CLOSED_WITHIN
    while status(answer) != 200 and time.monotonic() < limit:
        answer = web.ask(ONE, GET + b"Connection: close\r\n\r\n")
    assert status(answer) == 200


def test_responses_that_nobody_reads_stop_nobody(web: Web) -> None:
    for source in (ONE, TWO) * 50:
        web.send(source, SCRIPT)
    assert web.answers_others()


def test_requests_in_one_row_that_are_not_read_stop_nobody(web: Web) -> None:
    for source in (ONE, TWO) * 4:
        web.send(source, (GET + b"\r\n") * 100)
    assert web.answers_others()


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
        (GET + b"X-Long: " + b"a" * 100_000 + b"\r\n\r\n", 431),
        (GET + b"X-A: b\r\n" * 200 + b"\r\n", 431),
        (
            post("/login/", 5).replace(b"Content-Length", b"Content-Length: 7\r\nContent-Length"),
            400,
        ),
        (GET + b"no header\r\n\r\n", 400),
    ],
    ids=["long line", "long header", "many headers", "two lengths", "no header"],
)
def test_head_that_cannot_be_right_is_refused(web: Web, asked: bytes, refused: int) -> None:
    # A connection that is closed while more is on its way may take the answer with it.
    assert status(web.ask(ONE, asked)) in (refused, 0)
    assert web.answers_others()


def test_second_version_of_http_is_not_spoken(web: Web) -> None:
    answer = web.ask(ONE, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0")
    assert status(answer) in (0, 400)
    assert web.answers_others()


def test_upgrade_to_a_web_socket_is_a_usual_request(web: Web) -> None:
    asked = GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    line = web.send(ONE, asked + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    assert status(line.recv(65536)) == 200
    assert web.answers_others()


def test_streams_are_for_those_who_have_a_token(web: Web) -> None:
    asked = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer none\r\n"
    lines = [web.send(ONE, asked + b"\r\n") for _ in range(100)]
    assert web.answers_others()
    assert {status(line.recv(65536)) for line in lines} == {401}


def test_public_streams_of_one_place_are_bounded_and_hold_no_thread(web: Web) -> None:
    asked = b"GET /api/v1/events/boards HTTP/1.1\r\nHost: localhost\r\n\r\n"
    lines = [web.send(ONE, asked) for _ in range(3 * STREAMS_A_CALLER)]
    assert web.answers_others()
    found = Counter(status(line.recv(65536)) for line in lines)
    assert found == {200: STREAMS_A_CALLER, 429: 2 * STREAMS_A_CALLER}
    assert web.answers_others()


@pytest.mark.slow
def test_whatever_is_too_slow_is_closed(web: Web) -> None:
    begun = {
        "idle": web.send(ONE, b""),
        "half a line": web.send(ONE, b"GET / HT"),
        "half a head": web.send(ONE, GET),
        "silent body": web.send(ONE, post("/login/", 100)),
        "half a body": web.send(ONE, post("/login/", 100_000) + b"a=b"),
        "idle after an answer": web.send(ONE, GET + b"\r\n"),
    }
    assert [kind for kind, line in begun.items() if not is_closed(line)] == []
    assert web.answers_others()


@pytest.mark.slow
@pytest.mark.parametrize("bytes_a_second", [0, 100])
def test_response_that_is_not_read_is_given_up(web: Web, bytes_a_second: int) -> None:
    line = web.send(TWO, SCRIPT * 50)
    assert is_given_up(line, bytes_a_second)
    assert web.answers_others()


def test_flood_of_requests_leaves_room_for_others(web: Web) -> None:
    with flood(web, ONE, SCRIPT), flood(web, TWO, GET + b"\r\n"):
        assert web.answers_others(times=5)
