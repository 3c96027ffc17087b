"""Lists of boards: what they search grows with what they show, not with what is stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sarsen.games import find
from sarsen.language.commands import Games, ListBoards
from sarsen.services.accounts.player_pages import view_player
from sarsen.services.boards import lists
from sarsen.services.boards.lists import BoardFilter, board_page
from sarsen.services.boards.my_boards import next_board, own_boards, waiting_boards
from sarsen.services.challenges.acceptance import willing_players
from sarsen.services.challenges.lists import challenges_of, open_challenges
from sarsen.services.challenges.pages import view_challenge
from sarsen.services.dispatch import perform
from sarsen.services.events.live_updates import own_stamp
from sarsen.services.matches import lobby
from sarsen.services.matches.lobby import boards_worth_seeing, ended_boards, running_boards
from sarsen.services.ratings.pages import rating_list
from sarsen.services.records import collections
from sarsen.services.request import NOBODY
from sarsen.storage.models import Challenge, ChallengeSeat, Match, MatchSeat, Player
from sarsen.storage.models.matches import PUBLIC
from web_world import NOW, World

# PostgreSQL chooses a plan by the number of stored rows: with the few of a test it reads all of
# them, whatever indexes there are. SQLite, without statistics, has one plan for every number.
with_one_plan = pytest.mark.skipif(
    connection.vendor != "sqlite",
    reason="PostgreSQL chooses plans by the number of rows, and a test stores few",
)

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
Ask = Callable[[], object]


@pytest.fixture
def world(db: None) -> World:
    return World()


def _asks(world: World) -> dict[str, Ask]:
    ann = world.player("ann")
    return {
        "running": lambda: running_boards(most=6),
        "running of a game": lambda: running_boards("druid", most=6),
        "ended": lambda: ended_boards(most=6),
        "ended of a game": lambda: ended_boards("druid", most=6),
        "worth seeing": lambda: boards_worth_seeing(NOW, most=6),
        "worth seeing of a game": lambda: boards_worth_seeing(NOW, "druid", most=6),
        "worth having seen": lambda: boards_worth_seeing(NOW, ended=True, most=6),
        "newest": lambda: board_page(BoardFilter(), None),
        "newest of a viewer": lambda: board_page(BoardFilter(), ann),
        "newest of a game": lambda: board_page(BoardFilter(game="vasco"), None),
        "newest in play": lambda: board_page(BoardFilter(state="running"), None),
        "newest over": lambda: board_page(BoardFilter("druid", state="ended"), None),
        "of a player": lambda: board_page(BoardFilter(userid="ann", state="running"), None),
        "own": lambda: own_boards(ann),
        "next board": lambda: next_board(ann, None),
        "stamp of own": lambda: own_stamp(ann),
        "page of a player": lambda: view_player("ann", None, NOW),
        "challenges": lambda: open_challenges(None),
        "own challenges": lambda: challenges_of(ann),
        "ratings": lambda: rating_list("druid", NOW),
        "records": lambda: collections.page(collections.Selection(game="druid")),
        "list": lambda: perform(ListBoards(()), NOBODY, "", NOW),
        "games": lambda: perform(Games("", ("ann",), "next"), NOBODY, "", NOW),
    }


@pytest.mark.postgres
def test_boards_of_the_home_page_are_those_that_the_models_find(world: World) -> None:
    """Compare plain SQL with the ORM: of all kinds of boards, those that everybody may see."""
    terms: list[dict[str, Any]] = [{}, {"private": False}, {"private": True}]
    for game in ("druid", "vasco", "no-game-here"):
        for kept in terms:
            running, ended = (world.board() for _ in range(2))
            Match.objects.filter(pk=running).update(game=game, terms=kept)
            over = {"ended_at": NOW, "scores": [0.0, 1.0], "reason": "Somebody resigned."}
            Match.objects.filter(pk=ended).update(game=game, terms=kept, **over)
    seen = Match.objects.filter(PUBLIC, game__in=find())
    for game in ("", "druid"):
        of_game = seen.filter(game=game) if game else seen
        running = of_game.filter(ended_at=None).order_by("-moved_at", "-pk")
        ended = of_game.exclude(ended_at=None).order_by("-ended_at", "-pk")
        for most in (1, 9):
            assert running_boards(game, most=most) == lobby.listed_boards(running[:most])
            assert ended_boards(game, most=most) == lobby.listed_boards(ended[:most])
        assert len(running_boards(game, most=9)) == (2 if game else 4)
    assert {one.winner for one in ended_boards(most=9)} == {"bob"}


@pytest.mark.postgres
def test_boards_worth_seeing_have_moves_a_living_clock_and_no_guest(world: World) -> None:
    moves = "b8 b5 b4 a5"
    first, rated = (world.board(moves=moves) for _ in range(2))
    unrated = world.board(moves=moves, terms=("--unrated",))
    short = world.board(moves="b8 b5 b4")
    late = world.board(moves=moves)
    Match.objects.filter(pk=late).update(due_at=NOW - DAY)
    guests = world.board(moves=moves, players=("ann", "carla"))
    world.board(moves=moves, terms=("--private",))
    # A guest whose time is over is no guest any more, and keeps the name.
    Player.objects.filter(userid="carla").update(key="guest-000007", userid="guest-000007")
    found = [one.number for one in boards_worth_seeing(NOW, most=9)]
    assert set(found) == {first, rated, unrated}
    assert found[-1] == unrated
    assert boards_worth_seeing(NOW, "vasco", most=9) == boards_worth_seeing(NOW, most=0) == ()
    over = {"ended_at": NOW, "scores": [0.0, 1.0], "reason": "Somebody resigned."}
    Match.objects.filter(pk__in=(first, short, late, guests)).update(**over)
    ended = boards_worth_seeing(NOW, ended=True, most=9)
    assert {one.number for one in ended} == {first, late}


@pytest.mark.postgres
def test_open_challenges_are_those_with_a_free_seat_that_nobody_else_keeps(world: World) -> None:
    free = [
        world.challenge("druid", "ann", "anyone").number,
        world.challenge("vasco", "anyone", "ann").number,
    ]
    ann = world.player("ann")
    taken = world.challenge("druid", "ann", "bob").number
    linked = world.challenge("druid", "ann", "anyone").number
    Challenge.objects.filter(pk=linked).update(link_key="secret")
    waits = world.challenge("druid", "ann", "anyone").number
    ChallengeSeat.objects.filter(challenge=waits, player=ann).update(has_accepted=False)
    over = world.challenge("druid", "ann", "anyone").number
    Challenge.objects.filter(pk=over).update(state="withdrawn")
    elsewhere = world.challenge("druid", "ann", "anyone").number
    Challenge.objects.filter(pk=elsewhere).update(game="no-game-here")
    assert len({*free, taken, linked, waits, over, elsewhere}) == 7
    assert [one.number for one in open_challenges(None)] == free[::-1]
    assert [one.number for one in open_challenges(None, most=1)] == free[:0:-1]
    assert [one.number for one in open_challenges(None, "druid")] == free[:1]
    for viewer in (None, ann, world.player("bob")):
        shown = tuple(view_challenge(number, viewer) for number in free[::-1])
        assert open_challenges(viewer) == shown


@pytest.mark.postgres
def test_a_board_without_a_bound_waits_behind_those_with_one(world: World) -> None:
    boards = [world.board() for _ in range(3)]
    for board, due in zip(boards, (None, NOW + DAY, NOW), strict=True):
        Match.objects.filter(pk=board).update(due_at=due)
    assert waiting_boards(world.player("ann")) == tuple(boards[::-1])


@with_one_plan
def test_no_list_walks_or_sorts_all_that_is_stored(world: World) -> None:
    world.board()
    wrong = []
    for name, ask in _asks(world).items():
        asked: list[tuple[str, Any]] = []

        def note(execute: Any, sql: str, values: Any, many: bool, context: Any) -> Any:
            asked.append((sql, values))  # noqa: B023 (called at once)
            return execute(sql, values, many, context)

        with connection.execute_wrapper(note):
            ask()
        assert asked
        wrong += [f"{name}: {step}" for sql, values in asked for step in _costly(sql, values)]
    assert not wrong


@with_one_plan
def test_players_who_start_at_once_are_found_without_all_the_others(world: World) -> None:
    world.player("ann")
    Player.objects.filter(userid="ann").update(accepts=["anyone"])
    world.player("bob")
    with CaptureQueriesContext(connection) as asked:
        assert [player.userid for player, _ in willing_players(5)] == ["ann"]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
        assert [row[3] for row in cursor.fetchall()] == [
            "SCAN storage_player USING INDEX willing_players"
        ]


def _costly(sql: str, values: Any) -> list[str]:
    """Return the steps of a query that pass over a whole table, or sort what no player bounds."""
    if not sql.lstrip().startswith("SELECT"):
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", values)
        steps = [str(row[3]) for row in cursor.fetchall()]
    is_sorted = any("TEMP B-TREE" in step for step in steps)
    found = []
    for step in steps:
        stops_early = " LIMIT " in sql and not is_sorted and step.startswith("SCAN storage_")
        if step.startswith("SCAN") and not stops_early:
            found.append(step)
        if is_sorted and "INDEX boards_" in step and "boards_of_a_player" not in step:
            found.append(f"{step}, and sorts them")
    return found


def test_pages_of_a_players_boards_go_on_behind_those_searched_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [world.board() for _ in range(5)]
    # At one of them ann has both seats.
    MatchSeat.objects.filter(match=numbers[4]).update(player=world.player("ann"))
    monkeypatch.setattr(lobby, "MAX_SEARCHED", 2)
    monkeypatch.setattr(lists, "MAX_SEARCHED", 2)
    seen: list[int] = []
    before = None
    for _ in range(4):
        page = board_page(BoardFilter(userid="ann", before=before), None, most=3)
        seen += [one.number for one in page.boards]
        before = page.further
        if before is None:
            break
    assert seen == numbers[::-1]


def test_page_of_a_player_says_that_more_are_in_play_than_it_counts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        world.board()
    (exact,) = view_player("ann", None, NOW).played
    assert (exact.running, exact.is_more) == (2, False)
    monkeypatch.setattr("sarsen.services.matches.lobby.MAX_SEARCHED", 2)
    monkeypatch.setattr("sarsen.services.accounts.player_pages.MAX_SEARCHED", 2)
    (counted,) = view_player("ann", None, NOW).played
    assert (counted.running, counted.is_more) == (2, True)
