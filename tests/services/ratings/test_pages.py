"""What ratings, standings and histories show."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rated_matches import DAY, MONDAY, ask, match_of, player, won
from sarsen.core.errors import UserError
from sarsen.language.commands import History, Ratings, Standings
from sarsen.language.replies import Tables
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.ratings.counting import view_finished
from sarsen.services.ratings.glicko import PERIOD, Strength, certain_until
from sarsen.services.ratings.pages import rated_games, rating_histories, rating_list
from sarsen.services.ratings.tables import meetings
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    Encounter,
    Player,
    Rating,
    Result,
    Standing,
)

pytestmark = pytest.mark.django_db


def _certain(name: str, rating: float, deviation: float = 60, **more: object) -> None:
    Rating.objects.create(
        player=player(name, **more),
        game="druid",
        rating=rating,
        deviation=deviation,
        volatility=0.06,
        matches=20,
        rated_at=MONDAY,
        certain_until=certain_until(Strength(rating, deviation, 0.06), MONDAY),
    )


def test_rating_list_ranks_the_certain_and_marks_provisional_ones_and_bots() -> None:
    _certain("bob", 1700)
    _certain("ann", 1800)
    _certain("hal", 1750, is_bot=True)
    _certain("new", 1900, deviation=200)
    rows = ask(Ratings("druid"), at=MONDAY).rows
    assert [(row[0], row[1], row[2], row[6]) for row in rows] == [
        ("1", "ann", "1800", ""),
        ("2", "hal", "1750", "(program)"),
        ("3", "bob", "1700", ""),
        ("", "new", "1900?", ""),
    ]
    assert rows[0][4] == "1680-1920"


def test_rated_games_of_a_player_are_one_query_and_have_the_ranks_of_the_lists() -> None:
    for name in ("ann", "bob", "dan"):
        _certain(name, 1700)
    _certain("cat", 1800)
    _certain("new", 1900, deviation=200)
    _certain("gone", 1900)
    Player.objects.filter(key="gone").update(is_active=False)
    Rating.objects.create(
        player=player("bob"),
        game="vasco",
        rating=1500,
        deviation=300,
        volatility=0.06,
        rated_at=MONDAY,
    )
    listed = {one.userid: one for one in rating_list("druid", MONDAY)}
    for name in ("ann", "bob", "cat", "dan", "new"):
        with CaptureQueriesContext(connection) as asked:
            found = rated_games(player(name), MONDAY)
        assert len(asked) == 2  # with that for the player
        assert found["druid"] == listed[name]
    assert [listed[name].rank for name in ("cat", "ann", "bob", "dan", "new")] == [1, 2, 3, 4, None]
    ranks = {game: one.rank for game, one in rated_games(player("bob"), MONDAY).items()}
    assert ranks == {"druid": 3, "vasco": None}
    assert rated_games(player("gone"), MONDAY)["druid"].rank is None


def test_rating_of_somebody_long_idle_becomes_provisional_without_being_written() -> None:
    _certain("ann", 1800, deviation=100)
    assert rating_list("druid", MONDAY + 10 * PERIOD)[0].rank == 1
    (ann,) = rating_list("druid", MONDAY + 30 * PERIOD)
    assert ann.rank is None
    assert ann.strength.is_provisional
    assert Rating.objects.get().deviation == 100


def test_who_has_left_is_not_in_the_rating_list() -> None:
    _certain("ann", 1800)
    Player.objects.update(is_active=False)
    assert rating_list("druid", MONDAY) == ()


def test_ratings_are_shown_at_once_with_the_change_for_all_who_finished_a_game() -> None:
    won("ann", "bob")
    rows = ask(Ratings("druid")).rows
    assert [(*row[:4], row[5]) for row in rows] == [
        ("", "ann", "1662?", "+162", "1"),
        ("", "bob", "1338?", "−162", "1"),
    ]


def test_ratings_of_named_players_tell_of_each_game_what_it_changed_last() -> None:
    won("ann", "bob")
    player("cat")
    table = ask(Ratings("", ("ann", "bob", "cat")))
    assert [row[:5] for row in table.rows] == [
        ("druid", "", "ann", "1662?", "+162"),
        ("druid", "", "bob", "1338?", "−162"),
    ]
    assert ask(Ratings("druid", ("cat",))).rows == (("druid", "", "cat", "", "", "", "0", ""),)


def test_ratings_of_all_games_leave_empty_ones_out() -> None:
    _certain("ann", 1800)
    reply = perform(Ratings(""), Actor(), "", MONDAY)
    assert isinstance(reply, Tables)
    assert [table.title for table in reply.tables] == ["Druid ratings"]


def test_rating_history_has_a_point_a_game_and_names_no_private_board() -> None:
    first = won("ann", "bob")
    won("ann", "bob", at=MONDAY + 15.4 * DAY, private=True)
    points = rating_histories(player("ann"))["druid"]
    assert [(point.at, point.board) for point in points] == [
        (MONDAY, first.pk),
        (MONDAY + 15 * DAY, None),  # the day only: its opponent has a point of that day, too
    ]
    assert points[0].rating < points[1].rating
    assert points[0].change == pytest.approx(162.2, abs=0.1)


def test_standings_count_won_lost_and_drawn() -> None:
    won("ann", "bob")
    won("ann", "cat")
    matches.record_draw(match_of("ann", "bob"), 0, Request(NOBODY, MONDAY, AFTER_EVENTS))
    rows = ask(Standings("druid")).rows
    assert rows[0] == ("ann", "3", "2", "0", "1")
    assert sorted(rows[1:]) == [("bob", "2", "0", "1", "1"), ("cat", "1", "0", "1", "0")]


def test_standings_of_one_name_are_against_each_opponent() -> None:
    won("ann", "bob")
    won("bob", "ann")
    won("ann", "cat")
    table = ask(Standings("druid", ("ann",)))
    assert sorted(table.rows) == [("bob", "2", "1", "1", "0"), ("cat", "1", "1", "0", "0")]


def test_standings_of_two_names_are_head_to_head_by_seat() -> None:
    won("ann", "bob")
    won("bob", "ann")
    won("bob", "ann")
    table = ask(Standings("", ("ann", "bob")))
    assert table.rows == (
        ("druid", "V", "1", "1", "0", "0"),
        ("druid", "H", "2", "0", "2", "0"),
        ("in all", "", "3", "1", "2", "0"),
    )
    assert [one.won for one in meetings(player("bob"), player("ann"))] == [2, 0]


def test_counts_agree_with_the_matches_they_were_taken_from() -> None:
    for pair in [("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("ann", "cat")]:
        won(*pair)
    for row in Standing.objects.all():
        mine = Result.objects.filter(player=row.player)
        assert row.won == mine.filter(score=1.0).count()
        assert row.lost == mine.filter(score=0.0).count()
        assert row.won == sum(one.won for one in Encounter.objects.filter(player=row.player))


def test_standings_ask_the_store_no_more_for_more_matches() -> None:
    won("ann", "bob")
    with CaptureQueriesContext(connection) as few:
        ask(Standings("druid"))
    for _ in range(5):
        won("ann", "bob")
    with CaptureQueriesContext(connection) as many:
        ask(Standings("druid"))
    assert len(few) == len(many)


def test_too_many_names_are_refused_with_a_line_that_works() -> None:
    for name in ("ann", "bob", "cat"):
        player(name)
    for command in (Standings("", ("ann", "bob", "cat")), History("", ("ann", "bob", "cat"))):
        with pytest.raises(UserError) as refused:
            perform(command, Actor(), "", MONDAY)
        assert refused.value.code == "too-many-names"


def test_unknown_name_is_refused() -> None:
    with pytest.raises(UserError) as refused:
        perform(Ratings("druid", ("nobody",)), Actor(), "", MONDAY)
    assert refused.value.code == "unknown-player"


def test_unknown_game_is_refused() -> None:
    for command in (Ratings("chess"), Standings("chess"), History("chess")):
        with pytest.raises(UserError):
            perform(command, Actor(), "", MONDAY)


def test_history_is_newest_first_with_what_it_did_to_the_rating() -> None:
    first = won("ann", "bob")
    second = won("bob", "ann", at=MONDAY + 8 * DAY)
    third = won("bob", "ann", at=MONDAY + 9 * DAY, unrated=True)
    rows = ask(History("", ("ann",))).rows
    assert [row[1] for row in rows] == [str(one.pk) for one in (third, second, first)]
    assert rows[0][0] == "2026-11-11"
    assert [row[5] for row in rows] == ["bob", "bob", "ann"]
    assert rows[0][7] == "unrated"
    assert rows[1][7].endswith(")")
    assert rows[2][7] == "1662? (+162)"
    assert ask(History("druid")).rows[2][7] == "rated"


def test_history_of_two_names_has_their_games_only() -> None:
    won("ann", "cat")
    match = won("bob", "ann")
    assert [row[1] for row in ask(History("druid", ("ann", "bob"))).rows] == [str(match.pk)]


def test_private_games_are_in_the_history_of_their_players_only() -> None:
    won("ann", "bob", private=True)
    assert ask(History("druid")).rows == ()
    assert ask(History("", ("ann",)), "cat").rows == ()
    assert len(ask(History("druid"), "bob").rows) == 1
    assert Result.objects.filter(is_rated=True).count() == 2


def test_finished_game_tells_everything_of_itself() -> None:
    match = won("ann", "bob")
    game = view_finished(match.pk, None)
    assert game is not None
    assert (game.winner, game.reason) == ("ann", "H resigned.")
    assert [change.userid for change in game.changes] == ["ann", "bob"]
    assert (game.changes[0].before, game.changes[1].before) == (1500, 1500)
    assert game.changes[0].after == pytest.approx(1662.2, abs=0.1)


def test_running_game_is_no_finished_one() -> None:
    assert view_finished(match_of("ann", "bob").pk, None) is None


def test_finished_private_game_is_hidden_from_others() -> None:
    match = won("ann", "bob", private=True)
    with pytest.raises(UserError):
        view_finished(match.pk, player("cat"))
    assert view_finished(match.pk, player("ann")) is not None
