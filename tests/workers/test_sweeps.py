"""Sweeps are woken when they have something to do; an idle host asks the database little."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, close_old_connections, connection
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from sarsen.doors.web.frame import live_updates
from sarsen.server import long_polls
from sarsen.services import task_queue, wake_pipes
from sarsen.services.events.topics import Topic, TopicKind
from sarsen.storage.models import (
    Claim,
    Contest,
    CountedFigures,
    Device,
    Heartbeat,
    InboundMail,
    Match,
    OutgoingMail,
    Player,
    Push,
    PuzzleSubscription,
    WebhookCall,
)
from sarsen.workers import queue, sweeps
from sarsen.workers.sweeps import IS_DUE, ROUND, keep_waking, wake_due
from sarsen.workers.thinking import thinker
from web_world import World

pytestmark = pytest.mark.postgres
Patch = pytest.MonkeyPatch


class Times(threading.Event):
    """Stop the loop that looks at it after so many times."""

    def __init__(self, times: int, between: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._left, self._between = times, between

    def wait(self, timeout: float | None = None) -> bool:
        self._left -= 1
        if not self._left:
            self.set()
        self._between()
        return True


def woken() -> list[str]:
    """Take the jobs that wait."""
    jobs = DBTaskResult.objects.ready()
    names = sorted(jobs.values_list("task_path", flat=True))
    jobs.delete()
    return names


@pytest.fixture
def _same_connection(db: None, monkeypatch: Patch) -> None:
    """Keep the connection of the test's transaction open."""
    monkeypatch.setattr(sweeps, "close_old_connections", lambda: None)


@pytest.mark.usefixtures("_same_connection")
def test_every_sweep_is_woken_at_the_start_whatever_was_lost() -> None:
    keep_waking(Times(1))
    assert woken() == sorted(task_queue.SWEEPS)


@pytest.mark.django_db
def test_every_sweep_is_woken_once_in_a_round_by_one_of_all_hosts() -> None:
    now = timezone.now()
    wake_due(now, is_first=False)
    assert woken() == sorted(task_queue.SWEEPS)
    wake_due(now + ROUND / 2, is_first=False)  # another host
    assert set(woken()) <= IS_DUE.keys()
    wake_due(now + ROUND, is_first=False)
    assert woken() == sorted(task_queue.SWEEPS)
    wake_due(now, is_first=False)  # the clock of the machine was set back
    assert woken() == sorted(task_queue.SWEEPS)


@pytest.mark.usefixtures("_same_connection")
def test_sweeps_are_woken_again_when_the_database_is_back(monkeypatch: Patch) -> None:
    def away(*_: object) -> None:
        raise OperationalError("server closed the connection")

    def back() -> None:
        monkeypatch.undo()
        monkeypatch.setattr(sweeps, "close_old_connections", lambda: None)

    monkeypatch.setattr(sweeps.task_queue, "wake", away)
    keep_waking(Times(2, back))
    assert woken() == sorted(task_queue.SWEEPS)


def _due_things() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each job whose time is computed, and what makes it due."""
    now = timezone.now()
    times: dict[str, Any] = {"queued_at": now, "due_at": now}
    ann = World().player("ann")
    device = Device.objects.create(player=ann, digest="1", made_at=now)

    def store_mail() -> None:
        InboundMail.objects.create(recipient="bounce@sarsen.test", raw=b"", received_at=now)

    def end_board(**change: object) -> None:
        Match.objects.filter(pk=World().board(options="-size=3")).update(**change)

    yield task_queue.ANSWER_MAIL, store_mail
    yield (
        task_queue.SEND_MAIL,
        lambda: OutgoingMail.objects.create(kind="help", address="ann@example.org", **times),
    )
    yield task_queue.LOOK_AFTER_CLOCKS, lambda: end_board(look_at=now)
    yield task_queue.LOOK_AFTER_CLOCKS, Heartbeat.objects.filter(name="clocks").delete
    yield (
        task_queue.CALL_WEBHOOKS,
        lambda: WebhookCall.objects.create(player=ann, event="turn", **times),
    )
    yield (
        task_queue.RUN_CONTESTS,
        lambda: Contest.objects.create(
            format="round-robin",
            game="druid",
            rules_version=1,
            terms={},
            law={"most": 4, "least": 3, "games": 1, "boards": 9, "days": 90},
            name="Four Corners",
            made_at=now,
            state="open",
            look_at=now,
        ).log.create(
            number=1,
            kind="opened",
            at=now,
            due=now,
            facts={"starts_at": now.isoformat(), "ends_at": now.isoformat()},
        ),
    )
    yield task_queue.SEND_PUSHES, lambda: Push.objects.create(device=device, event="turn", **times)
    yield (
        task_queue.SEND_DIGESTS,
        lambda: Player.objects.filter(pk=ann.pk).update(digest_due_at=now),
    )
    yield (
        task_queue.SEND_PUZZLES,
        lambda: PuzzleSubscription.objects.create(
            player=ann, game="druid", sent_on=now.date() - timedelta(days=1)
        ),
    )
    yield (
        task_queue.ANSWER_CLAIMS,
        lambda: Claim.objects.create(
            match_id=World().board(), seat=0, ply=8, event=8, asked_at=now, due_at=now, proof="-"
        ),
    )
    yield task_queue.STORE_OPENINGS, lambda: end_board(ended_at=now)
    yield task_queue.COUNT_FIGURES, CountedFigures.objects.all().delete


@pytest.mark.django_db
def test_a_sweep_is_woken_when_it_has_something_to_do_and_until_it_has_done_it(
    settings: Any, monkeypatch: Patch
) -> None:
    settings.SARSEN_PUSH_KEY = "k" * 43
    # A thread, with a connection of its own, would not see what this test has written.
    for begin in ("webhooks", "push"):
        monkeypatch.setattr(f"sarsen.workers.notices.{begin}.is_any_due", lambda now: False)
    things = list(_due_things())
    assert {job for job, _ in things} == set(IS_DUE)
    for job in IS_DUE:
        import_string(job).call()
    wake_due(timezone.now(), is_first=True)
    woken()
    failed = []
    for job, make_due in things:
        before = IS_DUE[job](timezone.now())
        make_due()
        due = IS_DUE[job](timezone.now())
        import_string(job).call()
        WebhookCall.objects.all().delete()
        Push.objects.all().delete()
        after = IS_DUE[job](timezone.now())
        if (before, due, after) != (False, True, False):
            failed.append((job, before, due, after))
    assert not failed


@pytest.mark.django_db(transaction=True)
def test_an_idle_host_makes_at_most_two_transactions_a_second() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite counts no transactions, and one host alone asks it")
    board, ann = World().board(options="-size=3"), World().player("ann")
    topics = [Topic(TopicKind.BOARD, board), Topic(TopicKind.PLAYER, ann.pk)]
    worker = queue._make_worker()

    def look_for_due() -> None:
        close_old_connections()
        wake_due(timezone.now(), is_first=False)

    def run_all_jobs() -> None:
        wake_due(timezone.now(), is_first=True)
        with wake_pipes.listening(wake_pipes.WORKERS) as calls:
            while queue._run_ready(worker, calls):
                pass

    run_all_jobs()
    live_updates.stamps(topics)
    # What each process of a host does, and once in how many seconds.
    rates = {
        "sweeps": _transactions(look_for_due) / sweeps.LOOK_SECONDS,
        "queue": _transactions(queue._ready_jobs) / queue.POLL_TOGETHER,
        "thinker": _transactions(thinker._is_anything_due) / thinker.POLL,
        "reviewer": _transactions(lambda: thinker.review_next(thinker.Stop()))
        / thinker.STEP_SECONDS,
        "pages": _transactions(lambda: live_updates.stamps(topics)) / long_polls.UNCALLED_SECONDS,
        "round": _transactions(run_all_jobs) / ROUND.total_seconds(),
        # The heartbeat of the clocks.
        "clocks": _transactions(lambda: import_string(task_queue.LOOK_AFTER_CLOCKS).call()) / 60,
    }
    assert all(rate > 0 for rate in rates.values()), rates
    assert sum(rates.values()) <= 2, rates


def _transactions(work: Callable[[], object]) -> int:
    """Return how many transactions PostgreSQL counts while something is done."""
    counts = [_count() for _ in range(4)]
    # The question itself: the least, for the server's own clean-up may come between two.
    none = min(after - before for before, after in pairwise(counts))
    before = _count()
    work()
    return _count() - before - none


def _count() -> int:
    """Return how many transactions were counted in this database."""
    connection.ensure_connection()
    server: psycopg.Connection = connection.connection
    # Else it reports what it has done once a second, and nothing when no table was read.
    server.execute("SELECT pg_stat_force_next_flush() FROM django_migrations LIMIT 1")
    sql = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s"
    name = server.info.dbname
    with psycopg.connect(server.info.dsn, password=server.info.password, dbname="postgres") as one:
        row = one.execute(sql, (name,)).fetchone()
    assert row
    return int(row[0])


def test_an_outage_is_logged_once_with_its_reason_and_when_it_ends(caplog: Any) -> None:
    with caplog.at_level("INFO"):
        for number in range(6):
            try:
                raise psycopg.OperationalError("connection refused") from None
            except psycopg.Error as failed:
                error = OperationalError("the connection is lost")
                error.__cause__ = failed
            if number < 5:
                queue._outage.note(error)
        queue._outage.end()
        queue._outage.end()
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2, lines
    assert "the queue could not be read" in lines[0]
    assert "the connection is lost" in lines[0]
    assert "the database is back" in lines[1]
