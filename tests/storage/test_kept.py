"""Statements that are kept say what Django's own say."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Model

from sarsen.storage import move_path
from sarsen.storage.models import AnsweredRequest, Match, MatchEvent, MatchSeat, Player
from sarsen.storage.move_path import Given, KeptQuery
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def fields_of(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_kept_query_gives_the_rows_that_the_query_set_gives() -> None:
    board = World().board(moves="b8 b5", terms=("--totaltime=30",))
    seats = KeptQuery(
        lambda: MatchSeat.objects.filter(match=Given("match")).select_related("match", "player")
    )
    asked = MatchSeat.objects.filter(match=board).select_related("match", "player")
    for found, expected in zip(seats.all(match=board), asked, strict=True):
        assert fields_of(found) == fields_of(expected)
        assert fields_of(found.match) == fields_of(expected.match)
        assert fields_of(found.player) == fields_of(expected.player)
    assert seats.first(match=board + 1) is None


def test_kept_query_of_values_takes_texts_numbers_and_times() -> None:
    board = World().board(moves="b8 b5")
    asked = KeptQuery(
        lambda: (
            MatchEvent.objects.filter(
                match=Given("match"), kind=Given("kind"), at__lte=Given("until")
            )
            .order_by("-number")
            .values_list("text", "at")
        )
    )
    assert asked.all(match=board, kind="move", until=NOW) == [("b5", NOW), ("b8", NOW)]
    assert asked.all(match=board, kind="undo", until=NOW) == []


def test_inserted_row_is_the_row_that_is_saved() -> None:
    match = Match.objects.get(pk=World().board())
    row = MatchEvent(match=match, number=7, kind="move", ply=1, seat=0, text="a1", at=NOW)
    move_path.insert([row])
    stored = fields_of(MatchEvent.objects.get(match=match, number=7))
    assert stored.pop("id") is not None
    assert stored == {name: value for name, value in fields_of(row).items() if name != "id"}


@pytest.mark.parametrize("count", [0, 3, move_path.MOST_ROWS + 1])
def test_any_number_of_rows_is_inserted(count: int) -> None:
    rows = [
        AnsweredRequest(key=f"{number}", reply={"of": number}, at=NOW) for number in range(count)
    ]
    assert move_path.insert(rows) == count
    stored = AnsweredRequest.objects.order_by("pk").values_list("key", "reply")
    assert list(stored) == [(row.key, row.reply) for row in rows]


def test_row_that_is_known_is_left_as_it_is() -> None:
    first = AnsweredRequest(key="one", reply={"first": True}, at=NOW)
    assert move_path.insert([first], unless_known=True) == 1
    assert move_path.insert([AnsweredRequest(key="one", reply={}, at=NOW)], unless_known=True) == 0
    assert AnsweredRequest.objects.get(key="one").reply == {"first": True}


def test_update_writes_the_named_columns_of_one_row_and_no_others() -> None:
    world = World()
    ann, bob = world.player("ann"), world.player("bob")
    ann.channels, ann.digest_due_at, ann.timezone = {"turn": "none"}, NOW, "Asia/Tokyo"
    move_path.update(ann, ("channels", "digest_due_at"))
    stored = Player.objects.get(pk=ann.pk)
    assert (stored.channels, stored.digest_due_at, stored.timezone) == (ann.channels, NOW, "UTC")
    assert Player.objects.get(pk=bob.pk).channels == {}


def test_update_finds_its_row_by_another_column() -> None:
    move_path.insert([AnsweredRequest(key=key, reply={}, at=NOW) for key in ("one", "two")])
    move_path.update(
        AnsweredRequest(key="two", reply={"said": "yes"}, at=NOW), ("reply",), by="key"
    )
    stored = dict(AnsweredRequest.objects.values_list("key", "reply"))
    assert stored == {"one": {}, "two": {"said": "yes"}}
