"""Questions of open pages are held until there is news, in bounded numbers."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any
from wsgiref.types import WSGIEnvironment

import pytest

from sarsen.server import long_polls
from sarsen.server.long_polls import LongPolls
from sarsen.services.events.topics import Topic, TopicKind, Watched

BOARD, OTHER = Topic(TopicKind.BOARD, 5), Topic(TopicKind.BOARD, 6)


class Page:
    """One open page, until its browser leaves."""

    def __init__(self) -> None:
        self.left = asyncio.Event()

    async def client_disconnect(self) -> None:
        await self.left.wait()


class Database:
    """What the stamps are, and how often somebody looked at them."""

    def __init__(self) -> None:
        self.stamps = {BOARD: "1"}
        self.looks: list[tuple[Topic, ...]] = []

    def look(self, topics: Collection[Topic]) -> dict[Topic, str]:
        self.looks.append(tuple(topics))
        return dict(self.stamps)


def watched(environ: WSGIEnvironment) -> Watched | None:
    seen = environ.get("seen")
    return None if seen is None else Watched(BOARD, seen, environ.get("player", False))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_polls, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(long_polls, "UNCALLED_SECONDS", 1e9)


def hold(
    polls: LongPolls, page: Any = None, network: str = "here", **environ: Any
) -> asyncio.Task[bool]:
    return asyncio.create_task(polls.hold({"seen": "1"} | environ, network, page or Page()))


async def until_looked(database: Database) -> None:
    """Wait until the database was looked at twice more: all that was asked before was seen."""
    wanted = len(database.looks) + 2
    while len(database.looks) < wanted:
        await asyncio.sleep(0)


def test_many_questions_wait_for_news_and_share_each_look() -> None:
    async def check() -> None:
        database = Database()
        polls = LongPolls(watched, database.look)
        held = [hold(polls) for _ in range(5)]
        await until_looked(database)
        assert not any(one.done() for one in held)
        assert set(database.looks) == {(BOARD,)}
        database.stamps[BOARD] = "2"
        assert await asyncio.gather(*held) == [True] * 5
        assert not polls._held
        assert not polls._networks

    asyncio.run(check())


def test_a_question_is_not_held_that_is_none_that_has_seen_nothing_or_for_which_no_room_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def check() -> None:
        database = Database()
        polls = LongPolls(watched, database.look)
        assert not await hold(polls, seen=None)
        assert await hold(polls, seen="")  # the next one may be
        monkeypatch.setattr(long_polls, "MAX_OF_NETWORK", 2)
        monkeypatch.setattr(long_polls, "MAX_HELD", 3)
        held = [hold(polls), hold(polls)]
        await until_looked(database)
        assert not await hold(polls)
        held.append(hold(polls, network="there"))
        await until_looked(database)
        assert not await hold(polls, network="elsewhere")
        polls.end()
        assert await asyncio.gather(*held) == [True] * 3
        assert not await hold(polls)  # the process ends

    asyncio.run(check())


def test_a_page_that_was_left_takes_no_room() -> None:
    async def check() -> None:
        database, page = Database(), Page()
        polls = LongPolls(watched, database.look)
        held = hold(polls, page)
        await until_looked(database)
        page.left.set()
        assert await held
        assert not polls._held
        assert not polls._networks

    asyncio.run(check())


def test_players_hear_of_a_move_before_the_crowd_which_hears_of_it_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(long_polls, "TOLD_AT_ONCE", 0)
    told: list[tuple[float, bool]] = []

    async def check() -> None:
        database = Database()
        polls = LongPolls(watched, database.look)
        loop = asyncio.get_running_loop()

        wait = loop.call_later

        def call_later(delay: float, call: Any, *facts: Any) -> asyncio.TimerHandle:
            event = getattr(call, "__self__", None)
            if isinstance(event, asyncio.Event):
                told.append((delay, event in players))
            return wait(delay, call, *facts)

        held = [hold(polls, player=one == 2) for one in range(4)]
        await until_looked(database)
        players = [one.answer for one in polls._held[BOARD] if one.is_player]
        monkeypatch.setattr(loop, "call_later", call_later)
        database.stamps[BOARD] = "2"
        await asyncio.gather(*held)

    asyncio.run(check())
    delays = [at / long_polls.TOLD_A_SECOND for at in range(4)]
    assert told == list(zip(delays, [True, False, False, False], strict=True))


def test_pages_hear_that_the_database_cannot_be_looked_at() -> None:
    def look(topics: Collection[Topic]) -> dict[Topic, str]:
        raise OSError

    async def check() -> None:
        assert await hold(LongPolls(watched, look))

    asyncio.run(check())


def test_streams_wait_for_news_beside_questions_and_all_are_told_at_once() -> None:
    async def check() -> None:
        database = Database()
        polls = LongPolls(watched, database.look)
        held = [hold(polls) for _ in range(5)]
        streams = [asyncio.create_task(polls.wait(BOARD, "1", 60)) for _ in range(100)]
        assert not await polls.wait(BOARD, "1", 0.0)
        await until_looked(database)
        assert not any(one.done() for one in streams)
        database.stamps[BOARD] = "2"
        assert await asyncio.gather(*streams) == [True] * 100
        assert await polls.wait(BOARD, "", 60)  # to be read again soon
        await asyncio.gather(*held)
        polls.end()
        assert await polls.wait(BOARD, "2", 60)
        assert polls.is_ending
        assert not polls._held

    asyncio.run(check())


def test_where_the_database_calls_it_is_looked_at_after_a_call_and_not_before() -> None:
    async def check() -> None:
        database = Database()
        polls = LongPolls(watched, database.look, is_called=True)
        held = hold(polls)
        while not database.looks:
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(database.looks) == 1
        database.stamps[BOARD] = "2"
        polls.hear()
        assert await held

    asyncio.run(check())


def test_a_page_that_missed_a_call_while_it_asked_again_is_answered_by_the_next_look() -> None:
    async def check() -> None:
        database = Database()
        database.stamps[OTHER] = "1"
        polls = LongPolls(watched, database.look, is_called=True)
        # It keeps the looks going, and hears nothing itself.
        stays = asyncio.create_task(polls.wait(OTHER, "1", 60))
        while not database.looks:
            await asyncio.sleep(0)
        database.stamps[BOARD] = "2"  # its call came before the page asked
        assert await hold(polls)
        assert any(BOARD in look for look in database.looks)  # and its time was not just over
        # One that goes on with what the last look saw needs none.
        looks = len(database.looks)
        assert not await polls.wait(OTHER, "1", 0.0)
        assert len(database.looks) == looks
        stays.cancel()

    asyncio.run(check())
