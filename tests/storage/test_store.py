"""What the tables themselves promise."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from django.db import IntegrityError, connection
from django.db.models import Model, prefetch_related_objects
from django.utils import timezone

from sarsen.server import settings
from sarsen.storage.models import (
    Encounter,
    InboundMail,
    Match,
    MatchEvent,
    MatchSeat,
    Rating,
    Result,
    Standing,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


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


@pytest.mark.parametrize("model", [MatchSeat, MatchEvent, Result, Rating, Standing, Encounter])
def test_no_index_of_what_games_write_is_only_the_beginning_of_another(model: type[Model]) -> None:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    partial = {index.name for index in model._meta.indexes if index.condition}
    indexes = [
        tuple(index["columns"])
        for name, index in found.items()
        if index["columns"] and (index["index"] or index["unique"]) and name not in partial
    ]
    assert [one for one in indexes for other in indexes if one == other[: len(one)] != other] == []


def test_thousands_of_rows_are_fetched_with_the_rows_they_name() -> None:
    many = [begun().pk for _ in range(3)] + list(range(10_000, 12_500))
    seats = [MatchSeat(match_id=match) for match in many]
    prefetch_related_objects(seats, "match__seats__player")
    assert [seat.match.pk for seat in seats[:3]] == many[:3]


def test_commit_is_on_the_disk_when_it_returns(tmp_path: Path) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("on",)
        return
    # The server's own settings: those of the tests trust the disk, to be quicker.
    with sqlite3.connect(tmp_path / "any.sqlite3") as database:
        database.executescript(settings.DATABASES["default"]["OPTIONS"]["init_command"])
        # Write-ahead log, full synchronisation, deleted text overwritten.
        for name, value in (("journal_mode", "wal"), ("synchronous", 2), ("secure_delete", 1)):
            assert database.execute(f"PRAGMA {name}").fetchone() == (value,)
