"""F4 to F6 without a process: the database fails, is away, has no room or no memory."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from program import Program
from sarsen.doors.mail import jobs
from sarsen.doors.mail.receive import listener
from sarsen.services import store_failures
from sarsen.services.mail import incoming, outgoing, reply_addresses, settle
from sarsen.services.mail.incoming import Delivery
from sarsen.services.matches import matches
from sarsen.services.store_failures import Failure, failure_of
from sarsen.storage.models import ChatLine, InboundMail, Match, MatchEvent, OutgoingMail
from web_world import World

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" not in connection.vendor, reason="how PostgreSQL fills up is not ours to fake"
    ),
]
ANY_SIZE = 2**31 - 2


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the database file grow no more.

    Tests before may have left free pages in the file, which would be room.
    """
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count={pages}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA max_page_count={ANY_SIZE}")


def fill(program: Program, board: int) -> list[str]:
    """Chat until there is no room; give what was acknowledged."""
    said: list[str] = []
    for number in range(200):
        text = f"{number}" + " x" * 950
        chat(program, board, text, number)
        if program.status != 200:
            return said
        said.append(text)
    raise AssertionError("the disk was never full")


def chat(program: Program, board: int, text: str, number: int) -> None:
    program.post("commands/chat", {"board": board, "text": text}, Idempotency_Key=f"{number}")


def fill_the_rest(program: Program, board: int) -> None:
    """Chat in few words until there is no room for these, either, in pages that are begun."""
    for number in range(1000, 1400):
        chat(program, board, f"{number}", number)
        if program.status != 200:
            assert program.code == "disk-full"
            return
    raise AssertionError("the disk was never full")


def test_f5_full_disk_is_507_for_programs_and_pages_and_452_for_mail() -> None:
    world = World()
    board = world.board("druid", "a1 b2")
    program = Program(world.player("ann"), ["read", "play", "chat"])
    program.client.raise_request_exception = False
    visitor = Client(raise_request_exception=False)
    mail = Delivery("ann@example.org", "sarsen@sarsen.test", b"Subject: x\n\n" + b"y" * 90_000)
    with full_disk():
        said = fill(program, board)
        assert (program.status, program.code) == (507, "disk-full")
        assert program.headers.get("Retry-After") == "300"
        form = {"line": f"chat {board} " + " z" * 950, "token": "00000000-0000000000000000"}
        visitor.force_login(world.player("bob"))
    with full_disk():
        page = visitor.post("/do/", form)
        while page.status_code in (200, 302):  # what room there still is in begun pages
            form["line"] += "z"
            page = visitor.post("/do/", form)
        assert page.status_code == 507
        assert b"The disk of this server is full" in page.content
        assert listener._store([mail])[0].startswith("452 4.3.1")
        assert visitor.get(f"/boards/{board}/").status_code == 200
        program.get(f"boards/{board}")
        assert program.status == 200
        kept = list(ChatLine.objects.filter(player__userid="ann").values_list("text", flat=True))
        assert kept == said
    assert listener._store([mail])[0] == listener.STORED
    assert InboundMail.objects.count() == 1
    assert visitor.post("/do/", form).status_code in (200, 302)
    number = len(said)
    for _ in range(2):
        chat(program, board, f"{number}" + " x" * 950, number)
        assert program.status == 200
    assert ChatLine.objects.filter(player__userid="ann").count() == number + 1


def bring_moves(world: World) -> list[int]:
    """Store a mail with bob's move for each of some boards; give the boards."""
    boards = [world.board("druid", "a1", players=("ann", "bob")) for _ in range(8)]
    OutgoingMail.objects.all().delete()
    now = timezone.now()
    for board in boards:
        to = reply_addresses.board_address(world.player("bob"), board, 2)
        assert to is not None
        raw = f"From: bob@example.org\nMessage-ID: <{board}@x.example>\n\nb2\n".encode()
        incoming.store([Delivery("bob@example.org", to, raw)], now)
    return boards


def test_f5_full_disk_while_mails_are_answered_leaves_nothing_half_done() -> None:
    world = World()
    boards = bring_moves(world)
    program = Program(world.player("ann"), ["chat"])
    program.client.raise_request_exception = False
    with full_disk():
        fill(program, boards[0])
        fill_the_rest(program, boards[0])
        try:
            jobs.answer_mail.call()
        except OperationalError as full:
            assert failure_of(full) is Failure.FULL
        for match in Match.objects.all():
            assert match.event_count == match.events.count()
        moved = MatchEvent.objects.filter(ply=2).count()
        answered = InboundMail.objects.exclude(state="new").count()
        assert moved == answered < len(boards)
    jobs.answer_mail.call()
    assert MatchEvent.objects.filter(ply=2).count() == len(boards)
    answers = OutgoingMail.objects.filter(kind="answer").values_list("in_reply_to", flat=True)
    assert sorted(answers) == sorted(f"<{board}@x.example>" for board in boards)
    assert not InboundMail.objects.filter(state="new").exists()


def test_f5_disk_that_is_full_at_the_third_of_several_mails_leaves_none_half_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boards = bring_moves(World())
    # One group whatever the machine does besides.
    for limit in ("READ_FOR", "HELD_FOR"):
        monkeypatch.setattr(jobs, limit, 1e9)
    queue_for, tried = outgoing.queue_for, []

    def queue_two(*given: Any, **more: Any) -> None:
        tried.append(given)
        if len(tried) > 2:
            fail(sqlite3.SQLITE_FULL)
        queue_for(*given, **more)

    with monkeypatch.context() as full:
        full.setattr(outgoing, "queue_for", queue_two)
        jobs.answer_mail.call()
    assert len(tried) == 3
    # The first two went well; they are played and marked as answered together, or neither.
    assert MatchEvent.objects.filter(ply=2).count() == 0
    assert InboundMail.objects.filter(state="new", attempts=0).count() == len(boards)
    jobs.answer_mail.call()
    assert MatchEvent.objects.filter(ply=2).count() == len(boards)
    assert OutgoingMail.objects.filter(kind="answer").count() == len(boards)


def fail(code: int) -> NoReturn:
    """Fail as Django does when SQLite gives this code."""
    cause = sqlite3.OperationalError("the disk")
    cause.sqlite_errorcode = code
    raise OperationalError("the disk") from cause


def test_f6_no_memory_for_one_request_is_503_and_the_board_is_intact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    board = world.board("druid", "a1")
    program = Program(world.player("bob"), ["play"])
    program.client.raise_request_exception = False

    def starve(*_: object, **__: object) -> None:
        raise MemoryError

    with monkeypatch.context() as without:
        without.setattr(matches, "follow_up", starve)
        program.post("line", {"line": f"druid move {board} b2"}, Idempotency_Key="once")
        assert (program.status, program.code) == (503, "store-away")
        assert Match.objects.get(pk=board).ply == 1
    program.post("line", {"line": f"druid move {board} b2"}, Idempotency_Key="once")
    assert program.status == 200
    assert Match.objects.get(pk=board).ply == 2


def test_database_that_is_locked_for_long_is_503_and_451_and_both_go_on_by_themselves() -> None:
    world = World()
    board = world.board("druid", "a1")
    program = Program(world.player("bob"), ["play"])
    program.client.raise_request_exception = False
    mail = Delivery("bob@example.org", "sarsen@sarsen.test", b"Subject: help\n\n")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    patience = connection.settings_dict["OPTIONS"]["timeout"]
    try:
        other.execute("BEGIN IMMEDIATE")
        # Half a minute in life.
        connection.settings_dict["OPTIONS"]["timeout"] = 0.05
        connection.cursor().execute("PRAGMA busy_timeout=50")
        program.post("line", {"line": f"druid move {board} b2"}, Idempotency_Key="once")
        assert (program.status, program.code) == (503, "store-away")
        assert program.headers.get("Retry-After") == "10"
        assert listener._store([mail])[0].startswith("451 4.3.0")
        other.execute("ROLLBACK")
        program.post("line", {"line": f"druid move {board} b2"}, Idempotency_Key="once")
        assert program.status == 200
        assert listener._store([mail])[0] == listener.STORED
    finally:
        other.close()
        connection.settings_dict["OPTIONS"]["timeout"] = patience
        connection.close()


def test_database_that_is_away_is_503_on_pages_and_for_a_health_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = World().board("druid", "a1")
    visitor = Client(raise_request_exception=False)

    def away() -> None:
        raise OperationalError("server closed the connection")

    with monkeypatch.context() as gone:
        gone.setattr(connection, "ensure_connection", away)
        for path in (f"/boards/{board}/", "/health/"):
            shown = visitor.get(path)
            assert (shown.status_code, shown.get("Retry-After")) == (503, "10"), path
            assert b"The server cannot reach its database" in shown.content
    for path in (f"/boards/{board}/", "/health/"):
        assert visitor.get(path).status_code == 200


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, int]]]:
    """Yield the signals that this process sends, none of which arrives."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *signal: sent.append(signal))
    yield sent
    store_failures._broken.clear()


def fail_to_flush(*_: object) -> None:
    """Fail as a commit does whose flush the disk has not done."""
    fail(sqlite3.SQLITE_IOERR_FSYNC)


END = (os.getpid(), signal.SIGTERM)


def test_f4_listener_whose_disk_has_failed_acknowledges_nothing_more_and_ends(
    ends: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = Delivery("ann@example.org", "sarsen@sarsen.test", b"Subject: help\n\n")
    with monkeypatch.context() as failing:
        failing.setattr(incoming, "store", fail_to_flush)
        assert listener._store([mail])[0].startswith("451 4.3.0")
    # The next flush might succeed although the first has lost its pages.
    assert listener._store([mail])[0].startswith("451 4.3.0")
    assert not InboundMail.objects.exists()
    assert ends == [END]


@pytest.mark.parametrize("path", ["/health/", "/api/v1/boards/1"])
def test_f4_page_or_program_that_meets_a_failed_disk_is_answered_503_and_the_web_ends(
    ends: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    visitor = Client(raise_request_exception=False)
    monkeypatch.setattr(connection, "ensure_connection", fail_to_flush)
    assert visitor.get(path).status_code == 503
    assert ends == [END]


def test_f4_worker_that_meets_a_failed_disk_at_a_mail_ends_and_leaves_it(
    ends: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = Delivery("ann@example.org", "sarsen@sarsen.test", b"From: ann@example.org\n\nhelp\n")
    incoming.store([mail], timezone.now())
    with monkeypatch.context() as failing:
        failing.setattr(settle, "_settle_now", fail_to_flush)
        jobs.answer_mail.call()
    assert ends == [END]
    assert InboundMail.objects.filter(state="new", attempts=0).count() == 1


def test_f5_log_that_has_no_room_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    full = open("/dev/full", "w")  # noqa: SIM115 (its closing must be allowed to fail)
    handler = logging.StreamHandler(full)
    monkeypatch.setattr(sys, "stderr", full)
    logging.getLogger().addHandler(handler)
    try:
        listener.log.error("mail could not be stored")
        mail = Delivery("ann@example.org", "sarsen@sarsen.test", b"Subject: help\n\n")
        assert listener._store([mail])[0] == listener.STORED
    finally:
        logging.getLogger().removeHandler(handler)
        with contextlib.suppress(OSError):
            full.close()
