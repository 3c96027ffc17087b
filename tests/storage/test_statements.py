"""Rows are read from plain SQL, and written to the disk, as Django reads and writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model

from sarsen.storage import statements
from sarsen.storage.models import AnsweredRequest, Match, MatchEvent, OutgoingMail, Player
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

NOON = datetime(2026, 3, 29, 12, 30, 15, 120, tzinfo=UTC)
ELSEWHERE = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))


def fields_of(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def stored(model: type[Model]) -> list[tuple[Any, ...]]:
    """Return all of a table but its primary keys, as the database itself writes it."""
    written = "quote({0}) || typeof({0})" if connection.vendor == "sqlite" else "{0}::text"
    names = [connection.ops.quote_name(one.column) for one in model._meta.concrete_fields[1:]]
    asked = ", ".join(written.format(name) for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {asked} FROM {model._meta.db_table} ORDER BY id")
        return list(cursor.fetchall())


def test_every_row_is_read_as_django_reads_it(subtests: pytest.Subtests) -> None:
    world = World()
    world.board(moves="b8 b5", terms=("--totaltime=30", "--private"))
    Player.objects.update(paused_until=NOON, level=None, is_bot=True, channels={"turn": "none"})
    for model in apps.get_app_config("storage").get_models():
        with subtests.test(model.__name__):
            table, key = model._meta.db_table, model._meta.pk.column
            found = statements.select(f"SELECT {{{model.__name__}}} FROM {table} ORDER BY {key}")
            for (one,), expected in zip(found, model._base_manager.order_by("pk"), strict=True):
                assert one.__dict__.keys() == expected.__dict__.keys()
                for field in model._meta.concrete_fields:
                    mine, other = (getattr(row, field.attname) for row in (one, expected))
                    assert (type(mine), mine) == (type(other), other), field
                assert (one._state.adding, one._state.db) == (False, "default")


def test_instance_that_was_read_can_be_saved_and_followed() -> None:
    board = World().board(moves="b8")
    ((match,),) = statements.select("SELECT {Match} FROM storage_match WHERE id = %s", board)
    assert match.pair is None
    match.reason = "for this test"
    match.save()
    assert Match.objects.get(pk=board).reason == "for this test"
    assert [seat.seat for seat in match.seats.all()] == [0, 1]


def test_outer_join_that_finds_nothing_gives_none() -> None:
    OutgoingMail.objects.create(kind="help", address="a@a.example", queued_at=NOW, due_at=NOW)
    sql = """
        SELECT {OutgoingMail}, {Player}, 7 FROM storage_outgoingmail
        LEFT JOIN storage_player ON storage_player.id = storage_outgoingmail.player_id
    """
    ((letter, player, number),) = statements.select(sql)
    assert (letter.kind, player, number) == ("help", None, 7)


def test_columns_are_read_by_times_and_keys_and_none_for_no_keys() -> None:
    board = World().board(moves="b8 b5")
    sql = """
        SELECT {MatchEvent.text}, {MatchEvent.at} FROM storage_matchevent
        WHERE match_id = %s AND at <= %s AND kind IN ({keys}) ORDER BY number DESC
    """
    expected = [("b5", NOW), ("b8", NOW)]
    assert statements.select(sql, board, NOW, keys=["move"]) == expected
    assert statements.select(sql, board, NOW, keys=["undo", "move"]) == expected
    assert statements.select(sql, board, NOW - timedelta(seconds=1), keys=["move"]) == []
    assert statements.select(sql, board, NOW, keys=[]) == []


@pytest.mark.parametrize("at", [NOON, ELSEWHERE, NOON.replace(microsecond=0)])
@pytest.mark.parametrize("facts", [{"a": [1, None, "ü%s?"], "b": True, "c": 1.5}, {}, [], None])
def test_inserted_row_is_on_the_disk_as_the_one_that_is_saved(at: datetime, facts: Any) -> None:
    world = World()
    ann, board = world.player("ann"), world.board()
    given = {"text": "ä%s?", "kind": MatchEvent.Kind.MOVE, "at": at}
    rows: list[list[Model]] = [
        [MatchEvent(match_id=board, number=at_, ply=1, seat=0, **given) for at_ in (7, 8)],
        [
            OutgoingMail(
                kind="board",
                facts=facts or {},
                player=player,
                match_id=board,
                queued_at=at,
                due_at=at,
            )
            for player in (ann, None)
        ],
        [
            Match(
                game="druid",
                rules_version=1,
                terms=facts or {},
                started_at=at,
                moved_at=at,
                ended_at=at if facts else None,
                scores=facts,
                is_imported=bool(facts),
            )
        ],
    ]
    for some in rows:
        model = type(some[0])
        model._default_manager.all().delete()
        assert statements.insert(some) == len(some)
        inserted = stored(model)
        model._default_manager.all().delete()
        for row in some:
            row.save()
        assert inserted == stored(model)


@pytest.mark.parametrize("count", [0, 3, statements.MAX_ROWS + 1])
def test_any_number_of_rows_is_inserted(count: int) -> None:
    rows = [
        AnsweredRequest(key=f"{number}", reply={"of": number}, at=NOW) for number in range(count)
    ]
    assert statements.insert(rows) == count
    known = AnsweredRequest.objects.order_by("pk").values_list("key", "reply")
    assert list(known) == [(row.key, row.reply) for row in rows]


def test_row_that_is_known_is_left_as_it_is() -> None:
    first = AnsweredRequest(key="one", reply={"first": True}, at=NOW)
    second = AnsweredRequest(key="one", reply={}, at=NOW)
    assert statements.insert([first], unless_known=True) == 1
    assert statements.insert([second], unless_known=True) == 0
    assert AnsweredRequest.objects.get(key="one").reply == {"first": True}


@pytest.mark.parametrize("at", [NOON, ELSEWHERE, None])
def test_updated_columns_are_on_the_disk_as_saved_ones_and_no_others(at: datetime | None) -> None:
    world = World()
    ann = world.player("ann")
    names = ("channels", "digest_due_at", "is_bot", "level", "webhook")
    ann.channels, ann.digest_due_at, ann.is_bot = {"turn": "none"}, at, True
    ann.level, ann.webhook, ann.timezone = 3 if at else None, "ü%s", "Asia/Tokyo"
    before = stored(Player)
    statements.update(ann, names)
    updated = stored(Player)
    assert updated != before
    assert Player.objects.get(pk=ann.pk).timezone == "UTC"
    Player.objects.filter(pk=ann.pk).update(channels={}, digest_due_at=NOW, level=9, webhook="")
    ann.save(update_fields=names)
    assert updated == stored(Player)


@pytest.mark.parametrize("at", [NOON, ELSEWHERE])
def test_rows_of_keys_are_changed_as_django_changes_them_and_no_others(at: datetime) -> None:
    for number in range(4):
        AnsweredRequest.objects.create(key=f"{number}", reply={}, at=NOW)
    keys = ["0", "2"]
    sql = "UPDATE storage_answeredrequest SET said = %s, at = %s WHERE key IN ({keys})"
    assert statements.change(sql, "ü%s", at, keys=keys) == len(keys)
    changed = stored(AnsweredRequest)
    AnsweredRequest.objects.filter(key__in=keys).update(said="", at=NOW)
    assert changed != stored(AnsweredRequest)
    AnsweredRequest.objects.filter(key__in=keys).update(said="ü%s", at=at)
    assert changed == stored(AnsweredRequest)
    assert statements.change(sql, "", at, keys=[]) == 0


def test_update_finds_its_row_by_another_column() -> None:
    statements.insert([AnsweredRequest(key=key, reply={}, at=NOW) for key in ("one", "two")])
    said = AnsweredRequest(key="two", reply={"said": "yes"}, at=NOW)
    statements.update(said, ("reply",), by="key")
    known = dict(AnsweredRequest.objects.values_list("key", "reply"))
    assert known == {"one": {}, "two": {"said": "yes"}}
