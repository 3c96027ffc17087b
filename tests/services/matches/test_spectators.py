"""Watching boards, players and games, and the weekly letter."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import PlayMove, Resign, Subscribe, Unsubscribe
from sarsen.language.replies import Watching, decode, encode, sentence
from sarsen.services.dispatch import perform
from sarsen.services.notices import announcements, weekly
from sarsen.services.notices.announcements import sweep_announcements
from sarsen.services.notices.weekly import sweep_weekly
from sarsen.services.request import Actor
from sarsen.storage.models import Announcement, Match, OutgoingMail, Subscription
from web_world import NOW, World

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)  # after NOW, a Friday


@pytest.fixture
def world(db: None) -> World:
    return World()


def watch(world: World, userid: str, *names: str) -> Watching:
    reply = perform(Subscribe(names), Actor(world.player(userid)), "", NOW)
    assert isinstance(reply, Watching)
    return reply


def leave(world: World, userid: str, *names: str) -> Watching:
    reply = perform(Unsubscribe(names), Actor(world.player(userid)), "", NOW)
    assert isinstance(reply, Watching)
    return reply


def play(world: World, board: int, userid: str, text: str) -> None:
    perform(PlayMove("druid", board, text), Actor(world.player(userid)), "", NOW)


def told(userid: str) -> list[tuple[int, int]]:
    found = OutgoingMail.objects.filter(player__key=userid, kind="watched").order_by("pk")
    return [(letter.facts["board"], letter.facts["ply"]) for letter in found]


def test_a_watcher_hears_of_every_move_until_leaving(world: World) -> None:
    board = world.board(options="-size=4")
    assert watch(world, "carla", str(board)).boards == (board,)
    play(world, board, "ann", "a1")
    play(world, board, "bob", "b1")
    assert told("carla") == [(board, 1), (board, 2)]
    assert leave(world, "carla", str(board)).boards == ()
    play(world, board, "ann", "a2")
    assert len(told("carla")) == 2
    assert not told("ann")
    assert not told("bob")


def test_who_watches_a_player_or_a_game_hears_of_starts_and_ends(world: World) -> None:
    world.player("ann")
    watch(world, "carla", "ann")
    watch(world, "dora", "druid", "ann")
    board = world.board(options="-size=4", moves="a1 b1")
    perform(Resign("druid", board, confirmed=True), Actor(world.player("bob")), "", NOW)
    other = world.board("gyges", players=("carla", "emil"))
    assert told("carla") == told("dora") == [(board, 0), (board, 2)]
    assert not any(number == other for number, _ in told("dora"))
    # A player who watches a game does not get two letters.
    watch(world, "ann", "druid")
    world.board(options="-size=4")
    assert not told("ann")


def test_a_private_board_cannot_be_watched_and_looks_unknown(world: World) -> None:
    board = world.board(terms=("--private",))
    with pytest.raises(UserError) as hidden:
        watch(world, "carla", str(board))
    with pytest.raises(UserError) as unknown:
        watch(world, "carla", str(board + 1))
    assert hidden.value.code == unknown.value.code == "unknown-board"
    assert hidden.value.text.replace(str(board), "N") == unknown.value.text.replace(
        str(board + 1), "N"
    )
    world.player("carla")
    watch(world, "carla", "ann", "druid")
    play(world, board, "ann", "a1")
    perform(Resign("druid", board, confirmed=True), Actor(world.player("bob")), "", NOW)
    assert not told("carla")


def test_watching_twice_is_watching_once_and_leaving_twice_is_harmless(world: World) -> None:
    board = world.board()
    watch(world, "carla", str(board), "druid", "ann", "weekly")
    stands = watch(world, "carla", str(board), "DRUID", "Ann", "weekly")
    assert (stands.boards, stands.games, stands.players) == ((board,), ("druid",), ("ann",))
    assert stands.is_weekly
    assert Subscription.objects.count() == 4
    said = sentence(decode(encode(stands)))
    assert f"board {board}, ann, druid, the weekly mail" in said
    assert leave(world, "carla", "druid").games == ()
    assert leave(world, "carla", "druid").games == ()
    leave(world, "carla", "all")
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    ("name", "code"),
    [("nobody", "unknown-player"), ("9" * 30, "unknown-player"), ("999999999", "unknown-board")],
)
def test_what_is_not_there_cannot_be_watched(world: World, name: str, code: str) -> None:
    with pytest.raises(UserError) as refusal:
        watch(world, "carla", name)
    assert refusal.value.code == code
    assert refusal.value.hint
    assert not Subscription.objects.exists()


def test_own_and_finished_boards_need_no_watcher(world: World) -> None:
    board = world.board()
    with pytest.raises(UserError) as own:
        watch(world, "ann", str(board))
    assert own.value.code == "own-board"
    perform(Resign("druid", board, confirmed=True), Actor(world.player("bob")), "", NOW)
    with pytest.raises(UserError) as over:
        watch(world, "carla", str(board))
    assert over.value.code == "board-finished"


def test_a_new_spectator_hears_of_it_despite_an_old_wish_for_nothing(world: World) -> None:
    ann = world.player("ann")
    ann.channels = {"watched": "none", "weekly": "none", "turn": "none"}
    ann.save()
    watch(world, "ann", "weekly")
    assert world.player("ann").channels == {"watched": "none", "turn": "none"}
    watch(world, "ann", "druid")
    assert world.player("ann").channels == {"turn": "none"}


def test_watching_is_bounded_for_the_watcher_and_the_watched(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.matches.spectators.MAX_WATCHED", 2)
    monkeypatch.setattr("sarsen.services.matches.spectators.MAX_WATCHERS", 3)
    boards = [world.board(options="-size=4") for _ in range(3)]
    with pytest.raises(UserError) as full:
        watch(world, "carla", *map(str, boards))
    assert full.value.code == "watching-full"
    assert not Subscription.objects.exists()  # all of a command, or nothing
    for userid in ("dora", "emil", "fred"):
        watch(world, userid, str(boards[0]))
    with pytest.raises(UserError) as crowded:
        watch(world, "gina", str(boards[0]))
    assert crowded.value.code == "watchers-full"


def test_a_crowd_is_told_by_and_by_and_everybody_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcements, "AT_ONCE", 3)
    monkeypatch.setattr(announcements, "BATCH", 2)
    monkeypatch.setattr(announcements, "MAX_BATCHES", 1)
    board = world.board(options="-size=4")
    watchers = [f"w{number}" for number in range(5)]
    for userid in watchers:
        watch(world, userid, str(board))
    play(world, board, "ann", "a1")
    assert not OutgoingMail.objects.filter(kind="watched").exists()
    # A worker that is killed after any piece goes on where it was.
    counts = [sweep_announcements(NOW) for _ in range(5)]
    assert counts == [2, 2, 1, 0, 0]
    assert [told(userid) for userid in watchers] == [[(board, 1)]] * 5
    assert not Announcement.objects.filter(is_done=False).exists()
    assert {letter.priority for letter in OutgoingMail.objects.filter(kind="watched")} == {2}


def finished(world: World, at: datetime, players: tuple[str, str] = ("ann", "bob")) -> int:
    board = world.board(options="-size=4", moves="a1 b1", players=players)
    perform(Resign("druid", board, confirmed=True), Actor(world.player("bob")), "", NOW)
    Match.objects.filter(pk=board).update(ended_at=at)
    return board


def weekly_letters() -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(kind="weekly").order_by("pk"))


def test_the_weekly_letter_comes_once_a_week_to_those_who_asked(world: World) -> None:
    watch(world, "carla", "weekly")
    world.player("dora")
    board = finished(world, NOW)
    assert sweep_weekly(NOW + timedelta(hours=1)) == 0  # the week is not over
    assert sweep_weekly(MONDAY) == 1
    assert sweep_weekly(MONDAY) == 0
    assert sweep_weekly(MONDAY + timedelta(days=6)) == 0
    (letter,) = weekly_letters()
    assert letter.player == world.player("carla")
    assert letter.facts["shown"] == [board]
    assert letter.facts["begins"] == "2026-11-16"


def test_after_weeks_of_downtime_one_letter_comes_about_the_last_week(world: World) -> None:
    watch(world, "carla", "weekly")
    finished(world, NOW)
    late = finished(world, MONDAY + timedelta(days=15))
    assert sweep_weekly(MONDAY + timedelta(days=23)) == 1
    (letter,) = weekly_letters()
    assert letter.facts["shown"] == [late]


def test_a_week_without_a_finished_game_has_no_letter(world: World) -> None:
    watch(world, "carla", "weekly")
    board = finished(world, NOW)
    Match.objects.filter(pk=board).update(terms={"private": True})
    assert sweep_weekly(MONDAY) == 0
    assert not weekly_letters()


def test_weekly_letters_of_many_are_written_in_pieces_never_two(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weekly, "BATCH", 2)
    monkeypatch.setattr(weekly, "MAX_BATCHES", 1)
    for number in range(5):
        watch(world, f"w{number}", "weekly")
    finished(world, NOW)
    assert [sweep_weekly(MONDAY) for _ in range(4)] == [2, 2, 1, 0]
    assert len({letter.player_id for letter in weekly_letters()}) == len(weekly_letters()) == 5


def test_finished_board_takes_no_room_among_what_is_watched(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.matches.spectators.MAX_WATCHED", 1)
    first, second = world.board(options="-size=4"), world.board(options="-size=4")
    watch(world, "carla", str(first))
    perform(Resign("", first, True), Actor(world.player("ann")), "", NOW)
    assert watch(world, "carla", str(second)).boards == (second,)


def test_ending_what_was_never_watched_is_not_claimed(world: World) -> None:
    board = world.board(options="-size=4")
    watch(world, "carla", str(board))
    reply = leave(world, "carla", "999", str(board))
    assert reply.ended == (str(board),)
    said = sentence(reply)
    assert f"You no longer follow board {board}." in said
    assert "You were not following board 999." in said
