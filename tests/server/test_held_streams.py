"""Held streams are sent whenever they have news, until their end or their client's."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Collection, Iterable
from typing import cast
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from gateway_requests import PATIENCE, Client, Headers, Scope, gateway, run_out_of_time
from sarsen.server import gateway as server_gateway
from sarsen.server.long_polls import LongPolls
from sarsen.services.events.topics import Reading, Topic, TopicKind


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
def test_held_stream_is_closed_at_once_when_its_client_leaves() -> None:
    news, client = News(last=0), Client(run_out_of_time, stays=0.05)  # it has nothing to say
    began = time.monotonic()
    held(news, client)
    assert news.is_closed
    assert time.monotonic() - began < PATIENCE  # not at the next sign that all is well


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
    # On a slow machine a hundred signs come before the first reading.
    news, client = News(last=1, room=10**9), Client(run_out_of_time)

    async def check() -> None:
        polls = LongPolls(lambda environ: None, news.look)
        sending = asyncio.create_task(send(news, polls, client))
        while b"1.." not in client.body and not sending.done():
            await asyncio.sleep(0)
        assert not sending.done()
        polls.end()
        await sending

    asyncio.run(check())
    assert set(client.body) == set(b"1.")
    assert news.is_closed
