"""Values of columns are read and written as Django's own conversions do it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.models import Model

from sarsen.storage import move_path_rows
from sarsen.storage.models import Match, MatchEvent, MatchSeat, Player
from sarsen.storage.move_path import Given, KeptQuery
from web_world import World

pytestmark = pytest.mark.postgres

NOON = datetime(2026, 3, 29, 12, 30, 15, 120, tzinfo=UTC)
VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -7,
    3.5,
    "",
    "ä%s?",
    NOON,
    NOON.astimezone(timezone(timedelta(hours=5, minutes=30))),
    {"a": [1, None, "ü"]},
    [],
    MatchEvent.Kind.MOVE,
)
FIELDS = [
    field
    for model in apps.get_app_config("storage").get_models()
    for field in model._meta.concrete_fields
]


def result_of(convert: Any, value: Any) -> Any:
    try:
        return convert(value, connection)
    except (TypeError, ValueError, models.ObjectDoesNotExist) as refused:
        return type(refused)
    except Exception as refused:  # a ValidationError says what kind of value was wanted
        return type(refused)


@pytest.mark.django_db
def test_every_value_of_every_column_is_written_as_django_writes_it() -> None:
    for field in FIELDS:
        write = move_path_rows.writer(field, connection.vendor)
        for value in VALUES:
            written = result_of(write, value)
            expected = result_of(field.get_db_prep_save, value)
            # JSON for PostgreSQL is wrapped; two wrappers of the same are not equal.
            assert (type(written), str(written)) == (type(expected), str(expected)), (field, value)


@pytest.mark.django_db
@pytest.mark.parametrize("model", list(apps.get_app_config("storage").get_models()))
def test_every_row_is_read_as_django_reads_it(model: type[Model]) -> None:
    world = World()
    world.board(moves="b8 b5", terms=("--totaltime=30", "--private"))
    Player.objects.update(paused_until=NOON, level=None, is_bot=True, channels={"turn": "none"})
    kept = KeptQuery(lambda: model._default_manager.order_by("pk"))
    for found, expected in zip(kept.all(), model._default_manager.order_by("pk"), strict=True):
        assert found.__dict__.keys() == expected.__dict__.keys()
        for field in model._meta.concrete_fields:
            one, other = (getattr(row, field.attname) for row in (found, expected))
            assert (type(one), one) == (type(other), other), field
        assert (found._state.adding, found._state.db) == (False, "default")


@pytest.mark.django_db
def test_instance_read_by_a_kept_query_can_be_saved_and_followed() -> None:
    board = World().board(moves="b8")
    kept = KeptQuery(
        lambda: MatchSeat.objects.filter(match=Given("match")).select_related("match", "player")
    )
    seat = kept.all(match=board)[1]
    assert seat.match.pair is None  # an empty relation is asked of nobody
    seat.submitted = "c3"
    seat.save()
    assert [one.submitted for one in Match.objects.get(pk=board).seats.all()] == ["", "c3"]
    seat.player = kept.all(match=board)[0].player
    assert seat.player_id == seat.player.pk
