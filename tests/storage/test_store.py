"""What the tables themselves promise."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from sarsen.storage.models import InboundMail, Match, MatchEvent

pytestmark = pytest.mark.django_db


def begun() -> Match:
    now = timezone.now()
    return Match.objects.create(
        game="druid", rules_version=1, started_at=now, moved_at=now, position="-size=8"
    )


def test_two_events_of_one_number_cannot_both_be_stored() -> None:
    match = begun()
    event = {"match": match, "number": 1, "kind": "move", "ply": 1, "seat": 0, "text": "a1"}
    MatchEvent.objects.create(**event, at=timezone.now())
    with pytest.raises(IntegrityError):
        MatchEvent.objects.create(**(event | {"text": "b1"}), at=timezone.now())


def test_one_mail_cannot_be_stored_twice() -> None:
    mail = {"identity": "same", "digest": "d", "recipient": "sarsen@sarsen.test", "raw": b"x"}
    InboundMail.objects.create(**mail, received_at=timezone.now())
    with pytest.raises(IntegrityError):
        InboundMail.objects.create(**mail, received_at=timezone.now())


def test_commit_is_on_the_disk_when_it_returns() -> None:
    # SQLite: write-ahead log, full synchronisation, deleted text overwritten.
    wanted = {
        "sqlite": {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1},
        "postgresql": {"synchronous_commit": "on"},
    }[connection.vendor]
    asked = "PRAGMA {}" if connection.vendor == "sqlite" else "SHOW {}"
    with connection.cursor() as cursor:
        for name, value in wanted.items():
            cursor.execute(asked.format(name))
            assert cursor.fetchone()[0] == value
