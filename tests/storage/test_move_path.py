"""The statements of a move find what Django's own queries find."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Exists, Model, OuterRef, Q
from django.test.utils import CaptureQueriesContext

from sarsen.language.commands import Chat, WriteNote
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage import move_path
from sarsen.storage.models import (
    Address,
    Downtime,
    InboundMail,
    Match,
    MatchEvent,
    MatchSeat,
    OutgoingMail,
    Plan,
    Player,
    Subscription,
    Token,
    Vacation,
)
from sarsen.storage.models.matches import StoredEvent, seats_of
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
HOUR = timedelta(hours=1)


def assert_same(found: Model, expected: Model, *related: str) -> None:
    assert type(found) is type(expected)
    for field in expected._meta.concrete_fields:
        assert getattr(found, field.attname) == getattr(expected, field.attname), field
    for name in related:
        assert name in found._state.fields_cache  # type: ignore[attr-defined]
        assert_same(getattr(found, name), getattr(expected, name))


def test_match_is_found_and_held() -> None:
    board = World().board(moves="b8 b5", terms=("--totaltime=30",))
    expected = Match.objects.get(pk=board)
    with transaction.atomic(), CaptureQueriesContext(connection) as asked:
        for found in (move_path.find_match(board), move_path.lock_match(board)):
            assert found is not None
            assert_same(found, expected)
    assert [" FOR NO KEY UPDATE" in one["sql"] for one in asked.captured_queries] == [
        False,
        connection.features.has_select_for_update,
    ]
    assert move_path.find_match(board + 1) is move_path.lock_match(board + 1) is None


def test_matches_know_what_there_is_beside_their_moves() -> None:
    world = World()
    ann, boards = world.player("ann"), [world.board() for _ in range(4)]
    perform(Chat("", boards[0], "Hello!"), Actor(ann), "", NOW)
    perform(WriteNote("", boards[1], "mine"), Actor(ann), "", NOW)
    for board, is_active in ((boards[1], False), (boards[2], True)):
        Plan.objects.create(match_id=board, player=ann, is_active=is_active, changed_at=NOW)
    Match.objects.filter(pk=boards[3]).update(turn_began_at=NOW - HOUR)
    Downtime.objects.create(starts_at=NOW - 2 * HOUR, ends_at=NOW - HOUR / 2)
    found = sorted(move_path.matches_with_extras(boards), key=lambda match: match.pk)
    for match, expected in zip(found, Match.objects.order_by("pk"), strict=True):
        assert_same(match, expected)
    known = [(one.has_chat, one.has_notes, one.has_plans, one.has_downtimes) for one in found]
    assert known == [
        (True, False, False, False),
        (False, True, False, False),
        (False, False, True, False),
        (False, False, False, True),
    ]
    assert move_path.matches_with_extras([]) == []


def test_seats_know_their_players_and_whether_anybody_is_away_or_watches() -> None:
    world = World()
    boards = [world.board(terms=("--totaltime=30",)), world.board()]
    bob, eve = world.player("bob"), world.player("eve")
    Vacation.objects.create(
        player=bob, starts_at=NOW, ends_at=NOW + HOUR, first_day=NOW.date(), last_day=NOW.date()
    )
    Subscription.objects.create(player=eve, match_id=boards[1], made_at=NOW)
    found = seats_of(boards)
    for board in boards:
        asked = MatchSeat.objects.filter(match=board).select_related("player").order_by("seat")
        for seat, expected in zip(found[board], asked, strict=True):
            assert_same(seat, expected, "player")
            assert seat.has_vacations is (seat.player_id == bob.pk)
            assert seat.is_watched is (board == boards[1])


def test_several_keys_find_each_row_once_however_many_they_are() -> None:
    world = World()
    boards = [world.board() for _ in range(3)]
    keys = [*range(10**6, 10**6 + 500), *boards, *boards]
    assert sorted(match.pk for match in move_path.matches_with_extras(keys)) == boards


def test_events_are_found_by_board_in_order() -> None:
    world = World()
    boards = [world.board(moves="b8 b5"), world.board(), world.board(moves="b8")]
    found = move_path.events_of(boards)
    for board in boards:
        asked = MatchEvent.objects.filter(match=board).order_by("number")
        assert found[board] == list(asked.values_list(*StoredEvent._fields))


def test_positions_are_found_by_board() -> None:
    world = World()
    boards = [world.board(moves="b8"), world.board()]
    expected = Match.objects.order_by("pk").values_list("pk", "game", "position")
    found = move_path.positions_of([*boards, boards[-1] + 1])
    assert [(board, *facts) for board, facts in sorted(found.items())] == list(expected)
    assert move_path.positions_of([]) == {}


def test_due_position_is_that_of_the_player_to_move_while_the_game_lasts() -> None:
    world = World()
    board = world.board(moves="b8")
    ann, bob = world.player("ann"), world.player("bob")
    match = Match.objects.get(pk=board)
    MatchSeat.objects.filter(match=match, player=bob).update(submitted="b5")
    expected = (match.game, match.position, "b5")
    assert move_path.due_position(board, bob.pk) == expected
    assert move_path.due_position(board, ann.pk) is None
    Match.objects.filter(pk=board).update(ended_at=NOW)
    assert move_path.due_position(board, bob.pk) is None


def test_signed_seat_is_that_of_an_active_player() -> None:
    world = World()
    board = world.board(moves="b8")
    expected = MatchSeat.objects.get(match=board, seat=1)
    found = move_path.signed_seat(board, 1)
    assert found is not None
    assert_same(found.player, expected.player)
    assert (found.letter_key, found.ended_at) == (expected.letter_key, None)
    Match.objects.filter(pk=board).update(ended_at=NOW)
    finished = move_path.signed_seat(board, 1)
    assert finished is not None
    assert finished.ended_at == NOW
    assert move_path.signed_seat(board, 2) is None
    Player.objects.filter(pk=expected.player_id).update(is_active=False)
    assert move_path.signed_seat(board, 1) is None


def test_active_plans_come_with_their_players() -> None:
    world = World()
    board = world.board()
    for name, is_active in (("ann", True), ("bob", False), ("eve", True)):
        player = world.player(name)
        Plan.objects.create(
            match_id=board, player=player, tree={"a": 1}, is_active=is_active, changed_at=NOW
        )
    asked = Plan.objects.filter(match=board, is_active=True).order_by("pk")
    for found, expected in zip(move_path.active_plans(board), asked, strict=True):
        assert_same(found, expected, "player")


def test_downtimes_are_those_that_end_later() -> None:
    for hours in (1, 2, 3):
        Downtime.objects.create(starts_at=NOW, ends_at=NOW + hours * HOUR)
    since = NOW + HOUR
    expected = Downtime.objects.filter(ends_at__gt=since).values_list("starts_at", "ends_at")
    assert sorted(move_path.downtimes_since(since)) == sorted(expected)


def test_addresses_are_found_by_player_with_those_that_are_suspended() -> None:
    world = World()
    players = [world.player(name).pk for name in ("ann", "bob")]
    Address.objects.create(player_id=players[0], address="2@a.example", confirmed_at=NOW)
    Address.objects.filter(player_id=players[1]).update(suspended_at=NOW)
    asked = Address.objects.filter(player__in=players).order_by("player_id", "pk")
    expected = asked.values_list(*move_path.MailAddress._fields)
    assert move_path.addresses_of(players) == list(expected)
    assert move_path.addresses_of([]) == []


def test_stored_mails_are_found_by_their_identities() -> None:
    for name in ("one", "two", "three"):
        InboundMail.objects.create(identity=name, digest="d", raw=b"\0", received_at=NOW)
    found = move_path.stored_mails(["one", "three", "four"])
    asked = InboundMail.objects.filter(identity__in=["one", "three"])
    expected = asked.values_list(*move_path.StoredMail._fields)
    assert set(found.values()) == set(expected)
    assert found["three"].identity == "three"


def test_due_letters_are_those_that_wait_for_no_earlier_one() -> None:
    world = World()
    ann, board = world.player("ann"), world.board()
    OutgoingMail.objects.all().delete()

    def queue(address: str, *, minutes: int = 0, **given: Any) -> None:
        due = NOW + timedelta(minutes=minutes)
        OutgoingMail.objects.create(
            kind="board", address=address, facts={"of": address}, queued_at=NOW, due_at=due, **given
        )

    queue("refused@a.example", match_id=board, attempts=1, minutes=-1)
    queue("refused@a.example", match_id=board)
    queue("claimed@a.example", match_id=board, minutes=1)
    queue("claimed@a.example", match_id=board)
    queue("claimed@a.example")
    queue("claimed@a.example", player=ann, priority=0)
    queue("sent@a.example", match_id=board, state=OutgoingMail.State.SENT, attempts=1)
    queue("sent@a.example", match_id=board, minutes=-2, player=ann)
    earlier = OutgoingMail.objects.filter(
        Q(attempts__gt=0) | Q(due_at__gt=NOW),
        state=OutgoingMail.State.WAITING,
        match=OuterRef("match"),
        address=OuterRef("address"),
        pk__lt=OuterRef("pk"),
    )
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING, due_at__lte=NOW)
    asked = waiting.filter(~Exists(earlier)).order_by("priority", "due_at", "pk")
    with transaction.atomic():
        found = move_path.due_letters(NOW, 50)
        few = move_path.due_letters(NOW, 2)
    assert len(found) == 4
    for letter, expected in zip(found, asked, strict=True):
        assert_same(letter, expected)
        assert letter.player == expected.player
    assert few == found[:2]


def test_userids_are_those_of_accounts() -> None:
    world = World()
    world.player("ann")
    world.player("bob")
    Player.everyone.create(key="eve", userid="Eve", joined_at=NOW, is_elsewhere=True)
    assert move_path.userids_among(["ann", "eve", "b8"]) == {"ann"}
    assert move_path.userids_among([]) == frozenset()


def test_token_is_that_of_an_active_player() -> None:
    ann = World().player("ann")
    expected = Token.objects.create(player=ann, digest="d", scopes=["read"], made_at=NOW)
    found = move_path.token_of("d")
    assert found is not None
    assert_same(found, expected, "player")
    assert move_path.token_of("e") is None
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    assert move_path.token_of("d") is None
