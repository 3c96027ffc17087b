"""Processes of all hosts are called when something was committed that they wait for."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from sarsen.language.commands import Chat, Resign
from sarsen.server.long_polls import LongPolls
from sarsen.services import task_queue, wake_pipes
from sarsen.services.dispatch import perform
from sarsen.services.events import live_updates
from sarsen.services.events.topics import Topic, TopicKind
from sarsen.services.request import Actor
from sarsen.storage import calls, move_path, page_queries
from sarsen.storage.models import Challenge, ChallengeSeat, Match
from sarsen.storage.postgresql.base import TABLES_WITH_NEWS, written_table
from web_world import NOW, World

pytestmark = pytest.mark.postgres
needs_postgres = pytest.mark.skipif(
    "not __import__('sarsen.storage.calls', fromlist=['x']).is_heard()",
    reason="SQLite passes on no calls",
)


def test_what_open_pages_and_streams_read_is_news_when_it_is_written() -> None:
    read = {Challenge._meta.db_table, ChallengeSeat._meta.db_table}  # by the ORM
    for name, sql in vars(page_queries).items():
        if name.endswith("_SQL"):
            read |= set(re.findall(r"(?:FROM|JOIN) (storage_\w+)", sql))
    assert read - {"storage_player"} == TABLES_WITH_NEWS  # of players it reads numbers alone


def test_a_statement_that_writes_is_known_by_its_table() -> None:
    written = [
        *('INSERT INTO "storage_match" (a) VALUES (1)', "insert into storage_match select 1"),
        *('UPDATE "storage_match" SET a = 1', "\n  UPDATE storage_match SET a = 1"),
        'DELETE FROM "storage_match" WHERE id IN (1)',
    ]
    assert {written_table(sql) for sql in written} == {"storage_match"}
    assert not written_table("SELECT 1 FROM storage_match FOR UPDATE")
    # No statement that is written by hand begins to write in another way.
    by_hand = [sql for sql in vars(move_path).values() if isinstance(sql, str)]
    writing = [sql for sql in by_hand if re.search(r"\b(INSERT|UPDATE \w+\s+SET|DELETE)\b", sql)]
    assert writing
    assert all(written_table(sql) for sql in writing)


@contextmanager
def heard() -> Iterator[Any]:
    """Yield a function that takes the channels which were called since."""
    connection.ensure_connection()
    ours: psycopg.Connection = connection.connection
    info = ours.info
    with psycopg.connect(info.dsn, password=info.password, autocommit=True) as server:
        for channel in (calls.WORK, calls.THINK, calls.NEWS):
            server.execute(f"LISTEN {channel}")
        told: list[str] = []
        server.add_notify_handler(lambda call: told.append(call.channel))

        def take() -> set[str]:
            server.execute("SELECT")  # with its answer comes what was called before
            channels = set(told)
            told.clear()
            return channels

        yield take


@needs_postgres
@pytest.mark.django_db(transaction=True)
def test_calls_are_made_after_the_commit_and_only_then() -> None:
    with heard() as channels:
        with transaction.atomic():
            task_queue.wake(task_queue.TIDY)
            Match.objects.filter(pk=0).update(ply=1)
            assert not channels()
        assert channels() == {calls.WORK, calls.NEWS}
        Match.objects.filter(pk=0).update(ply=1)
        assert channels() == {calls.NEWS}
        with transaction.atomic():
            wake_pipes.call(wake_pipes.THINKER)
            transaction.set_rollback(True)
        assert not channels()
        Match.objects.filter(pk=0).update(ply=1)
        assert channels() == {calls.NEWS}  # and none for what was rolled back
        Match.objects.exists()
        task_queue.wake(task_queue.TIDY)  # it waits already
        assert not channels()


@needs_postgres
@pytest.mark.django_db(transaction=True)
def test_each_change_of_a_stamp_is_news() -> None:
    with heard() as channels:
        world = World()
        seen = [channels()]
        asked = world.challenge("druid", "ann", "bob")
        seen.append(channels())
        assert asked
        board = world.board(options="-size=3", moves="a1")
        seen.append(channels())
        ann = Actor(world.player("ann"))
        perform(Chat("druid", board, "Hello!"), ann, "", NOW)
        seen.append(channels())
        perform(Resign("druid", board, confirmed=True), ann, "", NOW)
        seen.append(channels())
    assert [calls.NEWS in told for told in seen] == [False, True, True, True, True]


@needs_postgres
@pytest.mark.django_db(transaction=True)
def test_a_page_that_waits_hears_of_a_move_of_another_host_without_a_look_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board, never = World().board(options="-size=3"), 1e9
    monkeypatch.setattr("sarsen.server.long_polls.UNCALLED_SECONDS", never)
    monkeypatch.setattr("sarsen.server.long_polls.LOOK_SECONDS", 0.0)
    topic = Topic(TopicKind.BOARD, board)

    def stamps(topics: Any) -> Any:
        try:
            return live_updates.stamps(topics)
        finally:
            connection.close()

    polls = LongPolls(lambda environ: None, stamps, is_called=True)
    seen = live_updates.board_stamp(board)
    looked = threading.Event()

    def hear(_told: str) -> None:
        looked.set()
        polls.hear()

    def play() -> None:
        looked.wait()
        try:
            perform(Chat("druid", board, "Hello!"), Actor(World().player("ann")), "", NOW)
        finally:
            connection.close()

    listener = threading.Thread(target=_listen_until_it_ends, args=({calls.NEWS: hear},))
    listener.start()
    another_host = threading.Thread(target=play)
    another_host.start()
    assert asyncio.run(polls.wait(topic, seen, 60))
    another_host.join()
    with connection.cursor() as cursor:
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^LISTEN'"
        cursor.execute(f"{ends} AND datname = current_database()")
    listener.join()  # a lost connection is noticed


def _listen_until_it_ends(heard: Any) -> None:
    with suppress(psycopg.Error):
        calls.listen_once(heard)


@needs_postgres
@pytest.mark.django_db(transaction=True)
def test_a_call_is_passed_on_to_the_pipe_of_this_host(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []
    monkeypatch.setattr(calls, "listen", begun.append)
    wake_pipes.hear_others(wake_pipes.WORKERS, wake_pipes.THINKER)
    with wake_pipes.listening(wake_pipes.THINKER) as pipe:
        begun[0][calls.WORK]("")
        assert not wake_pipes.wait(pipe, 0)
        begun[0][calls.THINK]("")
        assert wake_pipes.wait(pipe, 0)
