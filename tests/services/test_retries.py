"""A deed whose transaction the database breaks off is done all the same, and done once.

PostgreSQL ends one of two transactions that wait for each other. SQLite has one writer at a
time, so that the same deeds follow each other there.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from sarsen.language.commands import PlayMove
from sarsen.language.replies import Moved
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import AnsweredRequest, DigestItem, Match, MatchEvent, Player
from sarsen.storage.transactions import MAX_TRIES, in_transaction
from web_world import NOW, World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def is_postgresql() -> bool:
    return bool(connection.vendor == "postgresql")


def wait_until_somebody_waits(deed: Future[Any]) -> None:
    """Return when another connection waits for a lock; SQLite lets nobody come so far."""
    # For this one: other tests wait on the same server, too.
    asked = (
        "SELECT count(*) FROM pg_locks"
        " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )
    while is_postgresql() and not deed.done():
        with connection.cursor() as cursor:
            cursor.execute(asked)
            if cursor.fetchone()[0]:
                return


def held(table: Any, key: int) -> None:
    """Hold a row until the transaction ends."""
    list(table.objects.select_for_update(no_key=True).filter(pk=key))


def test_move_that_ends_as_a_deadlock_is_played_once() -> None:
    world = World()
    board, ann, bob = world.board(), world.player("ann"), world.player("bob")
    Player.objects.filter(pk=bob.pk).update(channels={"turn": "digest"})

    def play() -> tuple[object, int]:
        tries: list[str] = []

        def record(execute: Any, sql: str, *rest: Any) -> Any:
            tries.append(sql) if "storage_answeredrequest" in sql and "INSERT" in sql else None
            return execute(sql, *rest)

        try:
            if is_postgresql():
                with connection.cursor() as cursor:
                    # Who waits like this looks for a deadlock first, and is the one to give way.
                    cursor.execute("SET deadlock_timeout = '100ms'")
            with connection.execute_wrapper(record):
                return perform(PlayMove("", board, "b8"), Actor(ann), "once", NOW), len(tries)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            held(Player, bob.pk)
            moving = pool.submit(play)  # holds the board, and then waits for bob
            wait_until_somebody_waits(moving)
            held(Match, board)  # the other way round
        reply, tries = moving.result(120)
    assert isinstance(reply, Moved)
    assert (tries > 1) == is_postgresql()
    assert Match.objects.get(pk=board).ply == 1
    assert MatchEvent.objects.filter(match=board).count() == 1
    assert DigestItem.objects.filter(player=bob).count() == 1
    assert AnsweredRequest.objects.filter(key="once").count() == 1


class Broken(Exception):
    """Stand for what the driver of PostgreSQL raises."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("sqlstate", "tries"), [("40001", MAX_TRIES), ("40P01", MAX_TRIES), ("57014", 1)]
)
def test_only_what_may_succeed_is_begun_again_and_not_for_ever(sqlstate: str, tries: int) -> None:
    done: list[int] = []

    def work() -> None:
        done.append(1)
        raise OperationalError("broken off") from Broken(sqlstate)

    with pytest.raises(OperationalError):
        in_transaction(work)
    assert len(done) == tries


def test_work_inside_of_a_transaction_is_left_to_that_one() -> None:
    done: list[int] = []

    def work() -> None:
        done.append(1)
        raise OperationalError("broken off") from Broken("40P01")

    with pytest.raises(OperationalError), transaction.atomic():
        in_transaction(work)
    assert done == [1]
