"""Mail to a board, or from a sender, that another worker has in its hands."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection

import pytest
from django.db import connection, connections
from django.utils import timezone

from forking import await_other_threads
from sarsen.services.mail import waiting
from sarsen.storage.models import InboundMail
from sarsen.storage.transactions import AdvisoryLocks

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

HELD, FREE = (f"board-{board}-0-1-0-0-aaaaaaaaaaaaaaaaaaaa@sarsen.test" for board in (1, 2))


@contextmanager
def held_elsewhere(name: str) -> Iterator[None]:
    """Let another process hold a name."""
    here, there = multiprocessing.Pipe()
    await_other_threads()
    process = multiprocessing.get_context("fork").Process(target=_hold, args=(name, there))
    process.start()
    try:
        assert here.recv()
        yield
    finally:
        # Given back, not killed: PostgreSQL notices the end of a killed process some time later.
        here.send("enough")
        process.join()


def _hold(name: str, answer: Connection) -> None:
    connections["default"] = connection.copy()  # that of the tests is another process's
    with AdvisoryLocks() as locks:
        answer.send(bool(locks.acquire([name])))
        answer.recv()
    connections["default"].close()


def came(recipient: str, minutes_ago: int) -> InboundMail:
    number = InboundMail.objects.count()
    return InboundMail.objects.create(
        identity=str(number),
        digest=str(number),
        envelope_sender="ann@ann.example",
        recipient=recipient,
        raw=b"",
        received_at=timezone.now() - timedelta(minutes=minutes_ago),
    )


def claimed() -> list[int]:
    with waiting.claimed(10) as mails:
        return [mail.id for mail in mails]


def test_mail_to_a_board_that_another_worker_has_is_left_to_it_and_the_rest_is_claimed() -> None:
    held, free = came(HELD, 0), came(FREE, 0)
    with held_elsewhere("mail to board 1"):
        assert claimed() == [free.pk]
    assert claimed() == [held.pk, free.pk]


def test_a_worker_that_stands_still_keeps_a_board_for_no_longer_than_a_minute() -> None:
    first, _, free = came(HELD, 2), came(HELD, 2), came(FREE, 0)
    with held_elsewhere("mail to board 1"):
        assert claimed() == [free.pk]
        free.delete()
        assert claimed() == [first.pk]
        InboundMail.objects.update(received_at=timezone.now())
        assert claimed() == []
