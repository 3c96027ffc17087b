"""Requests are read whole before a thread works on them, and few threads do."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from sarsen.server import gateway as server_gateway
from sarsen.server import page_queue
from sarsen.server.gateway import MAX_FROM_ONE_PLACE, Gateway
from sarsen.server.long_polls import LongPolls
from sarsen.server.page_queue import KnownPlayers, PageQueue
from sarsen.services.events.topics import Reading, Topic, TopicKind
from sarsen.services.time_limits import IS_PLAYER

PATIENCE = 120  # seconds, and none of them is waited for
LONGEST = 300_000


@dataclass
class Headers:
    found: dict[str, str]

    def items(self) -> list[tuple[str, str]]:
        return list(self.found.items())


@dataclass
class Scope:
    """What Granian tells of a request."""

    headers: Headers
    method: str = "POST"
    path: str = "/"
    client: str = "192.0.2.1:4000"
    query_string: str = ""
    http_version: str = "1.1"
    server: str = "127.0.0.1:8000"
    scheme: str = "http"


@dataclass
class Client:
    """Stand for Granian's side of one request."""

    come: Callable[[], Awaitable[bytes]]
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    is_gone: bool = False

    async def __call__(self) -> bytes:
        return await self.come()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.response_bytes(status, headers, b"")

    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Client:
        self.response_bytes(status, headers, b"")
        return self

    async def send_bytes(self, piece: bytes) -> None:
        from granian.rsgi import ProtocolClosed  # type: ignore[attr-defined]

        if self.is_gone:
            raise ProtocolClosed
        self.body += piece


def gateway(
    application: WSGIApplication, threads: int = 1, polls: LongPolls | None = None
) -> Gateway:
    return Gateway(
        application,
        threads=threads,
        quick=("/health/",),
        streams=2,
        longest_body=LONGEST,
        place=lambda environ: str(environ["REMOTE_ADDR"]),
        proof=lambda environ: str(environ.get("HTTP_COOKIE", "")),
        polls=polls,
    )


async def ask(
    asked: Gateway,
    body: bytes = b"",
    *,
    come: Callable[[], Awaitable[bytes]] | None = None,
    length: int | None = None,
    headers: dict[str, str] | None = None,
    **scope: Any,
) -> Client:
    async def at_once() -> bytes:
        return body

    size = len(body) if length is None else length
    found = {"content-length": str(size)} | (headers or {})
    client = Client(come or at_once, is_gone=scope.pop("is_gone", False))
    await asked.__rsgi__(Scope(Headers(found), **scope), client)
    return client


def echo(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    start("200 OK", [])
    return [environ["wsgi.input"].read()]


async def run_out_of_time() -> bytes:
    raise TimeoutError


def test_no_more_than_a_few_are_answered_at_once_and_all_of_them_are() -> None:
    inside, may_end, most = threading.Semaphore(0), threading.Event(), []
    answering: set[int] = set()  # threads that are

    def slow(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/health/":
            return echo(environ, start)
        # Not the threads that there are: a pool begins one before another has become idle.
        answering.add(threading.get_ident())
        most.append(len(answering))
        inside.release()
        assert may_end.wait(PATIENCE)
        answering.discard(threading.get_ident())
        return echo(environ, start)

    async def main() -> None:
        asked = gateway(slow, 3)  # of which one is for players
        requests = [asyncio.create_task(ask(asked, b"x")) for _ in range(12)]
        for _ in range(2):
            assert await asyncio.to_thread(inside.acquire, timeout=PATIENCE)
        assert len(most) == 2
        assert (await ask(asked, path="/health/")).status == 200
        may_end.set()
        assert {(one.status, one.body) for one in await asyncio.gather(*requests)} == {(200, b"x")}

    asyncio.run(main())
    assert max(most) == 2


def test_flood_from_one_place_delays_others_by_few_requests() -> None:
    answered: list[str] = []
    may_begin = threading.Event()

    def noting(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        assert may_begin.wait(PATIENCE)
        answered.append(environ["REMOTE_ADDR"])
        return echo(environ, start)

    async def main() -> None:
        asked = gateway(noting)
        flood = [asyncio.create_task(ask(asked)) for _ in range(30)]
        await asyncio.sleep(0)  # all of them are asked first
        other = asyncio.create_task(ask(asked, client="192.0.2.9:1"))
        await asyncio.sleep(0)
        may_begin.set()
        await asyncio.gather(other, *flood)

    asyncio.run(main())
    assert len(answered) == 31
    assert answered.index("192.0.2.9") == 2


async def begun_in_order(visitors: int, *, threads: int = 2) -> list[str]:
    """Ask as one player behind many visitors, whose first hold all their threads."""
    order: list[str] = []
    begun, may_end = threading.Semaphore(0), threading.Event()

    def noting(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        environ[IS_PLAYER] = environ.get("HTTP_COOKIE") == "ann"
        order.append(environ["REMOTE_ADDR"])
        begun.release()
        assert environ["PATH_INFO"] == "/first/" or may_end.wait(PATIENCE)
        return echo(environ, start)

    asked, ann = gateway(noting, threads), {"headers": {"cookie": "ann"}}
    await ask(asked, path="/first/", **ann)
    assert begun.acquire(timeout=PATIENCE)
    addresses = [f"192.0.2.{number}" for number in range(1, visitors + 1)]
    crowd = [asyncio.create_task(ask(asked, client=f"{one}:1")) for one in addresses]
    for _ in range(threads - 1):
        assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
    player = asyncio.create_task(ask(asked, client="198.51.100.7:1", **ann))
    assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)  # beside them
    may_end.set()
    await asyncio.gather(player, *crowd)
    return order[1:]


def test_page_of_a_player_waits_for_no_visitor() -> None:
    order = asyncio.run(begun_in_order(40))
    assert len(order) == 41
    # One visitor has begun beside it, at the thread that the others wait for.
    assert order.index("198.51.100.7") == 1


def test_player_does_not_wait_behind_visitors_of_the_same_address() -> None:
    inside, may_end = threading.Semaphore(0), threading.Event()

    def slow(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        environ[IS_PLAYER] = environ.get("HTTP_COOKIE") == "ann"
        inside.release()
        assert environ[IS_PLAYER] or may_end.wait(PATIENCE)
        return echo(environ, start)

    async def main() -> None:
        asked, ann = gateway(slow, 2), {"headers": {"cookie": "ann"}}
        await ask(asked, **ann)
        crowd = [asyncio.create_task(ask(asked)) for _ in range(30)]
        assert await asyncio.to_thread(inside.acquire, timeout=PATIENCE)
        player = asyncio.create_task(ask(asked, **ann))
        for _ in range(10):  # turns of the loop; by then it has a thread, or waits for one
            await asyncio.sleep(0)
        try:
            assert player.done() or asked._queue._players.running == 1, "a player waits"
            assert (await player).status == 200
        finally:
            may_end.set()
        await asyncio.gather(*crowd)

    asyncio.run(main())


def test_somebody_who_has_logged_out_is_a_visitor_again() -> None:
    known = KnownPlayers()
    known.note("session", is_player=True)
    assert "session" in known
    known.note("session", is_player=False)
    assert "session" not in known
    for number in range(page_queue.MAX_REMEMBERED + 1):
        known.note(str(number), is_player=True)
    assert ("0" in known, "1" in known) == (False, True)


def test_request_that_is_given_up_while_it_waits_takes_no_thread_with_it() -> None:
    async def main() -> None:
        queue = PageQueue(2)
        async with queue.turn("here", is_player=False):
            waiting = asyncio.create_task(turn_of(queue))
            await asyncio.sleep(0)
            assert not queue.is_idle
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert queue.is_idle
        await turn_of(queue)

    async def turn_of(queue: PageQueue) -> None:
        async with queue.turn("there", is_player=False):
            pass

    asyncio.run(main())


def test_request_that_is_given_up_as_a_thread_is_given_back_takes_none_with_it() -> None:
    async def main() -> None:
        queue = PageQueue(2)
        async with queue.turn("here", is_player=False):
            waiting = [asyncio.create_task(turn_of(queue)) for _ in range(2)]
            await asyncio.sleep(0)
            waiting[0].cancel()  # and before it can tell, there is a thread
        done = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(done[0], asyncio.CancelledError)
        assert done[1] is None
        assert queue.is_idle

    async def turn_of(queue: PageQueue) -> None:
        async with queue.turn("there", is_player=False):
            pass

    asyncio.run(main())


def test_standstill_is_seen_while_pages_wait_and_none_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr(page_queue.time, "monotonic", lambda: now)

    async def main() -> None:
        nonlocal now
        queue = PageQueue(2)
        async with queue.turn("first", is_player=False):
            now += 100.0
            assert queue.standstill() == 0.0  # nobody waits for it
            waiting = asyncio.create_task(wait_behind(queue))
            await asyncio.sleep(0)
            now += 7.0
            assert queue.standstill() == 7.0
            async with queue.turn("a player", is_player=True):
                pass
            assert queue.standstill() == 7.0  # of visitors
        await waiting
        assert queue.standstill() == 0.0

    async def wait_behind(queue: PageQueue) -> None:
        async with queue.turn("second", is_player=False):
            pass

    asyncio.run(main())


def test_body_that_comes_slowly_holds_no_thread() -> None:
    async def main() -> None:
        asked, sent = gateway(echo), asyncio.Event()

        async def slowly() -> bytes:
            await sent.wait()
            return b"slow"

        late = asyncio.create_task(ask(asked, come=slowly, length=4))
        assert (await ask(asked, b"quick")).body == b"quick"
        sent.set()
        assert (await late).body == b"slow"

    asyncio.run(main())


def test_one_place_sends_only_so_much_at_once() -> None:
    async def main() -> None:
        asked, sent, begun = gateway(echo), asyncio.Event(), asyncio.Semaphore(0)

        async def slowly() -> bytes:
            begun.release()
            await sent.wait()
            return b"x" * LONGEST

        most = MAX_FROM_ONE_PLACE // LONGEST
        late = [asyncio.create_task(ask(asked, come=slowly, length=LONGEST)) for _ in range(most)]
        for _ in range(most):
            await begun.acquire()
        assert (await ask(asked, b"x" * LONGEST)).status == 503
        assert (await ask(asked)).status == 200  # without a body
        assert (await ask(asked, b"quick", client="192.0.2.2:1")).status == 200
        sent.set()
        assert {one.status for one in await asyncio.gather(*late)} == {200}
        assert (await ask(asked, come=slowly, length=LONGEST)).status == 200

    asyncio.run(main())


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"body": b"part", "length": 30}, 400, "cut-short"),
        ({"come": run_out_of_time, "length": 30}, 408, "too-slow"),
        ({"length": LONGEST + 1}, 413, "body-too-large"),
        ({"headers": {"content-length": "9" * 5000}}, 413, "body-too-large"),
        ({"headers": {"content-length": "-1"}}, 413, "body-too-large"),
        ({"headers": {"transfer-encoding": "chunked"}}, 411, "length-required"),
    ],
)
def test_body_that_is_not_whole_reaches_no_page(
    asked: dict[str, Any], status: int, code: str
) -> None:
    def never(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        raise AssertionError

    client = asyncio.run(ask(gateway(never), path="/api/v1/commands", **asked))
    assert client.status == status
    assert f'"code": "{code}"'.encode() in client.body
    assert ("Connection", "close") in client.headers


def test_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_gateway, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(server_gateway, "LEAST_RATE", math.inf)

    async def comes_too_late() -> bytes:
        for _ in range(10):  # turns of the loop, in the first of which the time is over
            await asyncio.sleep(0)
        return b"x"

    assert asyncio.run(ask(gateway(echo), come=comes_too_late, length=1)).status == 408


def test_defect_of_an_application_is_answered() -> None:
    def broken(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        raise KeyError("a defect")

    assert asyncio.run(ask(gateway(broken))).status == 500


def test_application_is_told_of_a_request_as_wsgi_does() -> None:
    told: WSGIEnvironment = {}

    def looking(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        told.update(environ)
        return echo(environ, start)

    headers = {"content-type": "text/plain", "x-forwarded-for": "a", "x_forwarded_for": "forged"}
    asyncio.run(
        ask(gateway(looking), b"b", headers=headers, client="[2001:db8::1]:80", path="/ä b")
    )
    assert told["PATH_INFO"].encode("latin-1").decode() == "/ä b"
    assert told["REMOTE_ADDR"] == "2001:db8::1"
    assert (told["CONTENT_TYPE"], told["CONTENT_LENGTH"]) == ("text/plain", "1")
    assert told["HTTP_X_FORWARDED_FOR"] == "a"


class Pieces:
    """A response that is made while it is sent."""

    streaming = True
    is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield from (b"one ", b"two")

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("is_gone", [False, True], ids=["read", "not read"])
def test_stream_is_sent_as_it_is_made_and_closed_at_its_end(is_gone: bool) -> None:
    pieces = Pieces()

    def streaming(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [])
        return pieces

    client = asyncio.run(ask(gateway(streaming), is_gone=is_gone))
    assert client.body == (b"" if is_gone else b"one two")
    assert pieces.is_closed


class News:
    """A held stream of numbers, and the database that it is read from."""

    topic = Topic(TopicKind.BOARD, 5)
    heartbeat = b"."
    ends = math.inf
    streaming = True

    def __init__(self, last: int, *, is_broken: bool = False, room: int = 100) -> None:
        self.held = self
        self.room = room
        self.number = self.sent = 0
        self.last, self.is_broken = last, is_broken
        self.threads: set[str] = set()
        self.is_closed = False

    def look(self, topics: Collection[Topic]) -> dict[Topic, str]:
        self.number = min(self.number + 1, self.last)
        return {self.topic: str(self.number)}

    def read(self) -> Reading:
        self.threads.add(threading.current_thread().name)
        if self.is_broken and self.number:
            raise RuntimeError
        fresh = range(self.sent + 1, self.number + 1)
        self.sent = self.number
        text = b"".join(str(one).encode() for one in fresh)
        return Reading(text, str(self.sent), is_over=self.sent == 7)

    def has_room(self) -> bool:
        self.room -= 1
        return self.room >= 0

    def close(self) -> None:
        self.is_closed = True


async def send(news: News, polls: LongPolls, client: Client) -> None:
    def application(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [])
        return cast(Iterable[bytes], news)

    scope = Scope(Headers({"content-length": "0"}))
    await gateway(application, polls=polls).__rsgi__(scope, client)


def held(news: News, client: Client) -> None:
    asyncio.run(send(news, LongPolls(lambda environ: None, news.look), client))


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.server.long_polls.LOOK_SECONDS", 0.0)
    monkeypatch.setattr(server_gateway, "HEARTBEAT", PATIENCE)


@pytest.mark.usefixtures("_at_once")
def test_held_stream_ends_when_the_time_of_its_caller_is_used_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    news, client = News(last=7, room=3), Client(run_out_of_time)
    held(news, client)
    assert client.body == b"123"
    assert news.is_closed
    # Without news, too: at the next sign that all is well. On a slow machine that comes before the
    # first reading, too.
    monkeypatch.setattr(server_gateway, "HEARTBEAT", 0.01)
    silent, client = News(last=1, room=3), Client(run_out_of_time)
    held(silent, client)
    assert set(client.body) <= set(b"1.")
    assert silent.room < 0
    assert silent.is_closed


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("is_gone", [False, True], ids=["read", "not read"])
def test_held_stream_is_read_when_it_has_news_and_closed_at_its_end(is_gone: bool) -> None:
    news, client = News(last=7), Client(run_out_of_time, is_gone=is_gone)
    held(news, client)
    assert client.body == (b"" if is_gone else b"1234567")
    assert all(name.startswith("readings") for name in news.threads)
    assert news.is_closed


@pytest.mark.usefixtures("_at_once")
def test_held_stream_that_fails_is_closed() -> None:
    news, client = News(last=7, is_broken=True), Client(run_out_of_time)
    held(news, client)
    assert (client.status, client.body, news.is_closed) == (200, b"", True)


@pytest.mark.usefixtures("_at_once")
def test_held_stream_says_that_all_is_well_and_ends_with_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_gateway, "HEARTBEAT", 0.001)
    news, client = News(last=1), Client(run_out_of_time)

    async def check() -> None:
        polls = LongPolls(lambda environ: None, news.look)
        sending = asyncio.create_task(send(news, polls, client))
        while b"1.." not in client.body:
            await asyncio.sleep(0)
        assert not sending.done()
        polls.end()
        await sending

    asyncio.run(check())
    assert set(client.body) == set(b"1.")
    assert news.is_closed
