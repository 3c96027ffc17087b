"""The client against servers that hang up, cut lines in half, and answer nonsense."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from sarsen.client import Client, Refused, Unreachable, event_streams
from sarsen.client.event_streams import events_of
from sarsen.client.transport import Transport, read_json
from sarsen.language.commands import ChangePuzzles
from sarsen.language.replies import ChatSaid, encode
from sarsen.language.translating import translated, use_language
from serving import serving


@dataclass
class Odd:
    """A server that does with each request, in turn, what the test says."""

    deeds: list[Callable[[BaseHTTPRequestHandler], None]]
    keys: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)


@contextmanager
def odd_server(odd: Odd) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            odd.keys.append(self.headers.get("Idempotency-Key", ""))
            odd.paths.append(self.path)
            odd.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            odd.deeds.pop(0)(self)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Write no log to the output of the tests."""

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as url:
        yield url


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def answers(
    text: str, kind: str = "application/json", status: int = 200, **headers: str
) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        body = text.encode()
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def cut_off(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"text": "')
    handler.close_connection = True


def items(*facts: dict[str, object]) -> Callable[[BaseHTTPRequestHandler], None]:
    """Answer with the items of a stream, which then breaks off."""
    at = "2026-11-20T12:00:00Z"
    lines = [json.dumps({"at": at, **one}) for one in facts]
    return answers("\n".join([*lines, "{"]), "application/x-ndjson")


BOARD: dict[str, object] = {
    **dict.fromkeys(("players", "programs", "sides", "effects", "moves", "chat"), ()),
    **dict.fromkeys(("game", "options", "terms", "position", "text", "words"), ""),
    **dict.fromkeys(("scores", "clock", "offer", "pair")),
    **{"number": 3, "rules_version": 1, "ply": 0, "last_ply": 0, "event": 0, "to_move": 0},
    **{"is_private": False, "legal_moves": ["a1"], "result": "", "ending": ""},
    **dict.fromkeys(("started_at", "moved_at"), "2026-11-20T12:00:00Z"),
    "own": {"seats": [0], "notes": [], "submitted": "", "plan": ""},
}
SAID = json.dumps({"text": "", "reply": encode(ChatSaid(1, ("bob",)))})


@pytest.mark.parametrize("lost", [hang_up, cut_off])
def test_a_command_whose_answer_was_lost_is_sent_again_under_the_same_key(
    lost: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    odd = Odd([lost, answers(SAID), hang_up, hang_up])
    with odd_server(odd) as url:
        client = Client(url, "token")
        assert client.chat(1, "hi").reply.to == ("bob",)
        assert odd.keys[0] == odd.keys[1] != ""
        with pytest.raises(Unreachable):
            client.chat(1, "hi")
    assert odd.keys[2] == odd.keys[3] != odd.keys[0]


def test_a_field_that_was_not_given_is_not_sent() -> None:
    odd = Odd([answers(SAID), answers(SAID)])
    with odd_server(odd) as url:
        client = Client(url, "token")
        client.perform(ChangePuzzles("days"))
        client.perform(ChangePuzzles("days", "off"))
    sent = [json.loads(body) for body in odd.bodies]
    assert sent == [{"what": "days"}, {"what": "days", "switch": "off"}]


def test_a_token_is_asked_for_once_although_no_answer_came() -> None:
    odd = Odd([hang_up])
    with odd_server(odd) as url, pytest.raises(Unreachable):
        Client(url).use_code("ann", "12345678")
    assert odd.deeds == []


def test_half_a_line_of_the_stream_is_not_taken_and_asked_for_again() -> None:
    def item(number: int) -> str:
        at = "2026-11-20T12:00:00Z"
        return json.dumps({"id": number, "kind": "chat", "at": at, "news": "later"})

    odd = Odd(
        [
            answers(f"{item(7)}\n\n{item(8)[:20]}", "application/x-ndjson"),
            answers(f"{item(8)}\n{item(9)}\n", "application/x-ndjson"),
        ]
    )
    with odd_server(odd) as url:
        events = events_of(Transport(url, "token"), "events", None)
        assert [next(events).id for _ in range(3)] == [7, 8, 9]
    assert odd.paths == ["/api/v1/events", "/api/v1/events?since=7"]


def test_a_stream_whose_server_goes_away_is_asked_for_less_and_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    # Only the clock is a made one: nobody waits.
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=waits.append)
    monkeypatch.setattr(event_streams, "time", clock)
    at = "2026-11-20T12:00:00Z"
    first, last = (json.dumps({"id": one, "kind": "hello", "at": at}) for one in (7, 8))
    problem = json.dumps({"code": "store-away", "detail": "No.", "hint": "", "status": 503})
    # A proxy answers by itself while the server behind it is away, or its database.
    behind = [answers("<html>", "text/html", 502), hang_up] * 4
    behind += [answers(problem, "application/problem+json", 503), hang_up]
    odd = Odd(
        [
            answers(f"{first}\n{first[:9]}", "application/x-ndjson"),
            *behind,
            answers(f"{last}\n{last[:9]}", "application/x-ndjson"),
            answers("<html>", "text/html", 502),
            answers(f"{last}\n", "application/x-ndjson"),
        ]
    )
    with odd_server(odd) as url:
        events = events_of(Transport(url, "token"), "events", None)
        assert [next(events).id for _ in range(3)] == [7, 8, 8]
    assert waits == [0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30, 30, 0.4, 0.8]


def test_turns_outlast_a_server_that_is_away_and_repeat_what_still_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=waits.append)
    monkeypatch.setattr(event_streams, "time", clock)
    board = answers(json.dumps(BOARD))
    hello = {"id": 7, "kind": "hello", "facts": {"to_move": [3]}}
    move = {"id": 8, "kind": "move", "board": 3, "is_your_turn": True}
    renewed = [items(hello), board]
    odd = Odd([items(hello, move), hang_up, hang_up, hang_up, hang_up, board, board, *renewed])
    with odd_server(odd) as url:
        turns = Client(url, "token").turns()
        assert [next(turns).number for _ in range(2)] == [3, 3]
    assert odd.deeds == []
    assert waits == [0.4, 0.8, 0.4]


def test_a_stream_that_is_refused_says_why() -> None:
    problem = json.dumps({"code": "unknown-token", "detail": "No.", "hint": "", "status": 401})
    with (
        odd_server(Odd([answers(problem, "application/problem+json", 401)])) as url,
        pytest.raises(Refused) as refused,
    ):
        next(Client(url, "token").events())
    assert (refused.value.status, refused.value.code) == (401, "unknown-token")


def test_too_much_at_once_says_how_long_to_wait() -> None:
    problem = json.dumps({"code": "chat-flood", "detail": "Too much.", "hint": "", "status": 429})
    deed = answers(problem, "application/problem+json", 429, Retry_After="60")
    with odd_server(Odd([deed])) as url, pytest.raises(Refused) as refused:
        Client(url, "token").chat(1, "hi")
    assert refused.value.wait == 60


@pytest.mark.parametrize(
    "deed",
    [
        answers("<html>", "text/html", 502),
        answers("{", "application/json"),
        answers("no json", "application/problem+json", 400),
        answers("[]", "application/problem+json", 400),
        answers('{"games": 1}', "application/json"),
    ],
    ids=range(5),
)
def test_what_is_no_server_of_ours_is_said_to_be_none(
    deed: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    with odd_server(Odd([deed, deed])) as url, pytest.raises(Unreachable):
        Client(url).games()


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (
            answers("", "text/html", 301, Location="https://elsewhere.example/"),
            "er leitet auf 'https://elsewhere.example/' um.",
        ),
        (answers("", "text/html", 502), "er antwortet mit dem Status 502."),
        (answers("{", "application/json"), "seine Antwort ist unvollständig."),
        (answers('{"text": "Done."}'), "er ist kein Server von sarsen."),
    ],
    ids=range(4),
)
def test_why_a_server_cannot_be_used_is_said_in_german(
    deed: Callable[[BaseHTTPRequestHandler], None], reason: str
) -> None:
    with odd_server(Odd([deed, deed])) as url, pytest.raises(Unreachable) as refused:
        Client(url).line("list")
    with use_language("de"):
        assert (
            translated(refused.value.text)
            == f"Der Server auf {url} ist nicht zu erreichen: {reason}"
        )


@pytest.mark.parametrize("url", ["play.example.org", "ftp://x", "http://", "http://x:99999999"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Unreachable):
        Client(url).games()


@pytest.mark.parametrize(
    "deed",
    [
        answers("<html>", "text/html"),
        answers("", "text/html", 301, Location="https://elsewhere.example/"),
        answers('{"text": "Done."}'),
        answers('{"text": "Done.", "reply": {"kind": "OfNextYear"}}'),
        answers('["text"]'),
    ],
)
def test_what_is_no_server_of_ours_is_told_in_words_and_no_token_goes_elsewhere(
    deed: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    odd = Odd([deed, deed])
    with odd_server(odd) as url:
        with pytest.raises(Unreachable) as refused:
            Client(url, "sarsen_token").line("list")
        assert refused.value.code == "server-away"
        with pytest.raises(Unreachable):
            Client(url).use_code("ann", "1")
    assert len(odd.paths) == 2


EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2028\udc80\r\x08"


def no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/9 \x1b[2J no\r\n\r\n")
    handler.close_connection = True


def test_nothing_that_a_server_says_commands_the_terminal() -> None:
    """In replies, refusals, text, streams and headers, plainly or behind escapes of JSON."""
    said = {"text": f"one\ntwo\t{EVIL}", "reply": {"kind": EVIL, EVIL: [EVIL]}}
    problem = {"detail": f"No. {EVIL}", "code": f"x{EVIL}", "hint": EVIL}
    shown: list[str] = []
    odd = Odd(
        [
            answers(json.dumps(said)),
            answers(f"plain {EVIL[:-5]}", "text/plain"),
            answers(json.dumps(problem), "application/problem+json", 422),
            answers(json.dumps({"line": EVIL}), Content_Language="de\x1b[2J"),
            answers(f"{EVIL[:7]}\n{json.dumps(EVIL)}\n", "application/x-ndjson"),
            lambda handler: (handler.wfile.write(b"HTTP/9 \x1b[2J no\r\n\r\n"), hang_up(handler))[
                1
            ],
        ]
    )
    with odd_server(odd) as url:
        server = Transport(url)
        reply = server.ask("GET", "a")
        assert reply["text"].startswith("one\ntwo\t")
        shown += [json.dumps(reply, ensure_ascii=False).replace("\\n", "").replace("\\t", "")]
        shown += [server.ask("GET", "b")]
        with pytest.raises(Refused) as refused:
            server.ask("GET", "c")
        shown += [refused.value.text, refused.value.code, refused.value.hint]
        shown += [str(server.ask("GET", "d")), server.language]
        lines = list(server.lines("e", "application/x-ndjson"))
        shown += [lines[0], read_json(lines[1])]
        with pytest.raises(Unreachable) as away:
            server.ask("POST", "f", {})
        shown += [str(away.value)]
    assert [text for text in shown if not text.isprintable() or "\\u" in text] == []
