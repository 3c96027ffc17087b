"""Boards as records: what is told of each ending, and many of them at a time."""

from __future__ import annotations

import gc
import tracemalloc
from datetime import timedelta
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.core.records import Ending, Record, as_json, prove, text
from sarsen.games import load
from sarsen.language.commands import AnswerOffer, AskUndo, OfferDraw, Resign
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.records import collections
from sarsen.services.records.collections import Selection, collect, count, page
from sarsen.services.records.recording import view_record
from sarsen.services.records.signatures import check, public_keys
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import Import, Match, MatchEvent, MatchSeat, Result
from web_world import NOW, World

WON = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return World()


def say(world: World, userid: str, command: Any) -> None:
    perform(command, Actor(world.player(userid)), "", NOW + timedelta(hours=3, microseconds=9))


def over(
    world: World,
    game: str = "druid",
    moves: str = "b8 b5",
    players: tuple[str, str] = ("ann", "bob"),
    terms: tuple[str, ...] = (),
) -> int:
    """Play a board that its first player gives up soon."""
    board = world.board(game, moves, players=players, terms=terms)
    say(world, players[0], Resign("", board, confirmed=True))
    return board


def proved(board: int, viewer: Any = None) -> Record:
    """Return the record of a board, which must hold, be signed, and come through both forms."""
    file = view_record(board, viewer)
    record, game = file.record, load(file.record.game)
    prove(record, game)
    check(record, game, public_keys())
    assert text.read(file.text, load) == as_json.read_line(file.json_line, load) == record
    return record


def test_a_game_won_by_a_move_is_told_whole(world: World) -> None:
    board = world.board(moves=WON, terms=("--nagtime=3",))
    record = proved(board)
    assert record.place == f"http://sarsen.test/boards/{board}/"
    assert (record.players, record.terms) == (("ann", "bob"), "--nagtime=3")
    assert (record.ending, record.scores) == (Ending.MOVE, (1.0, 0.0))
    assert [move.text for move in record.moves] == WON.split()
    assert (record.started_at, record.ended_at, record.moves[0].at) == (NOW, NOW, NOW)


def test_a_resignation_names_the_seat_and_times_have_whole_seconds(world: World) -> None:
    board = world.board("gyges", "231123 321123")
    say(world, "bob", Resign("", board, confirmed=True))
    record = proved(board)
    assert (record.ending, record.ended_by, record.scores) == (Ending.RESIGNATION, 1, (1.0, 0.0))
    assert record.ended_at == NOW + timedelta(hours=3)


def test_a_game_lost_on_time_names_the_seat(world: World) -> None:
    board = world.board("vasco", "a1")
    matches.record_forfeit(Match.objects.get(pk=board), Request(NOBODY, NOW, AFTER_EVENTS))
    record = proved(board)
    assert (record.ending, record.ended_by, record.scores) == (Ending.FORFEIT, 1, (1.0, 0.0))


def test_a_draw_agreed_on_without_a_move(world: World) -> None:
    board = world.board("visavis")
    say(world, "ann", OfferDraw("", board))
    say(world, "bob", OfferDraw("", board))
    record = proved(board)
    assert (record.ending, record.scores, record.moves) == (Ending.AGREEMENT, (0.5, 0.5), ())


def test_moves_taken_back_are_left_out(world: World) -> None:
    board = world.board(moves="b8 b5 b4")
    say(world, "ann", AskUndo("", board))
    say(world, "bob", AnswerOffer("druid", board, accepts=True))
    say(world, "ann", Resign("", board, confirmed=True))
    assert MatchEvent.objects.filter(match=board, kind="move").count() == 3
    assert [move.text for move in proved(board).moves] == ["b8", "b5"]


def test_a_resignation_after_a_swap_is_of_the_seat_that_has_its_colour_now(world: World) -> None:
    board = world.board("visavis", "B2 swap", options="-swap")
    say(world, "ann", Resign("", board, confirmed=True))
    record = proved(board)
    assert (record.ended_by, record.scores) == (0, (0.0, 1.0))
    assert record.reason == "X resigned."


def test_a_running_game_is_given_to_nobody_and_a_private_one_to_its_players(world: World) -> None:
    running = world.board(moves="b8")
    with pytest.raises(UserError) as refused:
        view_record(running, world.player("ann"))
    assert refused.value.code == "board-running"
    private = over(world, terms=("--private",))
    with pytest.raises(UserError) as refused:
        view_record(private, world.player("carla"))
    assert refused.value.code == "unknown-board"
    assert proved(private, world.player("bob")).players == ("ann", "bob")


def test_a_record_is_given_unsigned_when_no_key_can_be_read(
    world: World, settings: Any, tmp_path: Any
) -> None:
    (tmp_path / "signing.key").write_text("damaged")
    settings.DATA = tmp_path
    assert view_record(over(world), None).record.signature == ""


@pytest.fixture
def games(world: World) -> dict[str, int]:
    """Finished boards: ended in another order than begun, one of them private; one runs."""
    boards = {
        "running": world.board(moves="b8"),
        "late": over(world),
        "early": over(world, players=("bob", "carla")),
        "private": over(world, terms=("--private",)),
        "gyges": over(world, "gyges", "231123", players=("carla", "ann")),
    }
    for hours, name in ((9, "late"), (1, "early"), (5, "private"), (1, "gyges")):
        end_at(boards[name], hours)
    return boards


def end_at(board: int, hours: int) -> None:
    Match.objects.filter(pk=board).update(ended_at=NOW + timedelta(hours=hours))
    Result.objects.filter(match=board).update(at=NOW + timedelta(hours=hours))


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (Selection(), "early gyges late"),
        (Selection(has_private=True), "early gyges private late"),
        (Selection(game="gyges"), "gyges"),
        (Selection(userid="Ann"), "gyges late"),
        (Selection(userid="carla", game="druid"), "early"),
    ],
)
def test_a_selection_holds_what_was_asked_for_first_ended_first(
    games: dict[str, int], selection: Selection, names: str
) -> None:
    expected = [games[name] for name in names.split()]
    assert [file.board for file in collect(selection)] == expected
    assert count(selection) == len(expected)
    for file in collect(selection):
        check(file.record, load(file.record.game), public_keys())


def test_games_of_a_player_who_left_stay_on_record(games: dict[str, int], world: World) -> None:
    carla = world.player("carla")
    carla.is_active = False
    carla.save()
    assert len(list(collect(Selection(userid="carla")))) == 2


@pytest.mark.parametrize(
    ("selection", "code"),
    [
        (Selection(game="chess"), "unknown-game"),
        (Selection(userid="ghost"), "unknown-player"),
        (Selection(board=999), "unknown-board"),
        (Selection(after=999), "unknown-board"),
    ],
)
def test_what_is_not_there_is_refused_in_words(
    games: dict[str, int], selection: Selection, code: str
) -> None:
    for take in (count, page, lambda one: list(collect(one))):
        with pytest.raises(UserError) as refused:
            take(selection)
        assert refused.value.code == code


def test_a_board_alone_is_taken_and_a_private_one_only_when_asked_for(
    games: dict[str, int],
) -> None:
    late, private = games["late"], games["private"]
    assert [file.board for file in collect(Selection(board=late))] == [late]
    with pytest.raises(UserError):
        count(Selection(board=private))
    with pytest.raises(UserError):
        count(Selection(after=private))
    assert count(Selection(board=private, has_private=True)) == 1


def test_pages_hold_everything_once_however_small_they_are(
    games: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "MAX_OF_A_PAGE", 1)
    found, after = [], None
    for _ in range(3):
        part = page(Selection(after=after))
        found += [file.board for file in part.files]
        after = part.further
    assert found == [games[name] for name in ("early", "gyges", "late")]
    assert after is None


def test_pages_of_a_player_hold_each_game_once_with_those_from_elsewhere(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    opponents = ("bob", "carla", "dora", "emil", "fred")
    boards = [over(world, players=("ann", name)) for name in opponents]
    for model in (MatchSeat, Result):  # of a board with her on both seats
        model._default_manager.filter(match=boards[2]).update(player=world.player("ann"))
    over(world, players=("bob", "carla"))
    for board, hours in zip(boards, (5, 3, 3, 1, 3), strict=True):
        end_at(board, hours)
    elsewhere = Match.objects.get(pk=boards[1])
    elsewhere.results.all().delete()
    Match.objects.filter(pk=elsewhere.pk).update(is_imported=True)
    Import.objects.create(match=elsewhere, digest="of it", at=NOW, head={})
    expected = [boards[place] for place in (3, 1, 2, 4, 0)]
    assert count(Selection(userid="ann")) == 5
    assert count(Selection(userid="ann", after=expected[1])) == 3
    for size in (1, 2, 4):
        monkeypatch.setattr(collections, "MAX_OF_A_PAGE", size)
        monkeypatch.setattr(collections, "_files", lambda rows, key: [row.pk for row in rows])
        found, after = [], None
        while not found or after is not None:
            part = page(Selection(userid="ann", after=after))
            found += list(part.files)
            after = part.further
        assert found == expected
    here = page(Selection(userid="ann", has_imported=False))
    assert list(here.files) == [board for board in expected if board != elsewhere.pk]


def test_few_games_are_in_memory_at_a_time(
    games: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections, "_AT_ONCE", 2)
    monkeypatch.setattr(collections, "EVENTS_AT_ONCE", 1)
    everything = list(collect(Selection()))
    assert [len(file.record.moves) for file in everything] == [2, 1, 2]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_games(world: World) -> None:
    board = Match.objects.get(pk=world.board(moves=WON))
    events, seats = list(board.events.all()), list(board.seats.all())
    for _ in range(1000):
        board.pk = None
        board.save(force_insert=True)
        MatchSeat.objects.bulk_create(
            MatchSeat(match=board, seat=one.seat, player=one.player) for one in seats
        )
        MatchEvent.objects.bulk_create(
            MatchEvent(
                match=board,
                number=one.number,
                kind=one.kind,
                ply=one.ply,
                seat=one.seat,
                text=one.text,
                at=one.at,
            )
            for one in events
        )
    peaks = []
    for most in (200, 1000):
        tracemalloc.start()
        for number, file in enumerate(collect(Selection())):
            assert file.text
            if number % 100 == 0:
                gc.collect()  # a match and its events know each other
            if number == most:
                break
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]
