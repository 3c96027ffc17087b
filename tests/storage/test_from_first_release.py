"""A database of release 0.1 keeps what its players had chosen, and its boards get clocks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from tests.storage.test_upgrades import step_by_step

from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks.running import sweep
from sarsen.storage.models import Match, OutgoingMail, Player

FIRST = ("storage", "0001_initial")
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def old() -> Iterator[Any]:
    """Yield the models of 0.1, on tables as they were."""
    step_by_step().migrate([FIRST])
    yield step_by_step().loader.project_state([FIRST]).apps
    _migrate()


# One test, because the way there and back takes seconds.
@pytest.mark.slow
def test_players_of_0_1_keep_their_choice_and_their_boards_get_whole_budgets_from_now_on(
    old: Any,
) -> None:
    players = [_player(old, "ann", mail_boards=True), _player(old, "bob", mail_boards=False)]
    running, over = _board(old, players), _board(old, players, ended_at=LONG_AGO)
    before = timezone.now()
    _migrate()

    rows = Player.objects.order_by("pk").values_list(
        "userid", "channels", "letter_key", "feed_key", "webhook_key"
    )
    # Nobody shares a key with somebody else: the new ones are made when they are asked for.
    assert list(rows) == [
        ("ann", {}, "ann", "", ""),
        ("bob", {"turn": "none", "moved": "none"}, "bob", "", ""),
    ]

    now = timezone.now()
    assert sweep(now, AFTER_EVENTS) == 1
    match = Match.objects.get(pk=running)
    assert match.due_at is not None
    assert before + timedelta(days=21) <= match.due_at <= now + timedelta(days=21)
    assert (match.reminders, match.ended_at) == (0, None)
    assert not OutgoingMail.objects.exists()
    ended = Match.objects.get(pk=over)
    assert (ended.turn_began_at, ended.look_at) == (None, None)


def _player(old: Any, name: str, **more: object) -> Any:
    return old.get_model("storage", "Player").objects.create(
        key=name, userid=name, joined_at=LONG_AGO, letter_key=name, **more
    )


def _board(old: Any, players: list[Any], **more: object) -> int:
    match = old.get_model("storage", "Match").objects.create(
        game="druid",
        rules_version=1,
        options="-size=4",
        started_at=LONG_AGO,
        moved_at=LONG_AGO,
        position="",
        **more,
    )
    for seat, player in enumerate(players):
        old.get_model("storage", "MatchSeat").objects.create(
            match=match, seat=seat, player=player, letter_key=f"{match.pk}.{seat}"
        )
    return int(match.pk)


def _migrate() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes("storage"))
