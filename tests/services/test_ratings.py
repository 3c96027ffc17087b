"""Results counted and rated at the end of matches, and what the commands show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from simulation.rating_audit import Game, rated

from sarsen.core.errors import UserError
from sarsen.language.commands import Command, History, PlayMove, Ratings, Resign, Standings
from sarsen.language.replies import Table, Tables
from sarsen.services.admin.actions import undo_forfeit
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.ratings import count, rating
from sarsen.services.ratings.counting import view_finished
from sarsen.services.ratings.glicko import PERIOD, Strength, certain_until
from sarsen.services.ratings.pages import rated_player, rating_histories, rating_list
from sarsen.services.ratings.standings import meetings
from sarsen.services.ratings.upgrading import recompute
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    Challenge,
    Encounter,
    Match,
    Player,
    Rating,
    Result,
    Standing,
)

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)
DAY = timedelta(days=1)
MOVES = ("a1", "d4", "a2", "c4")


pytestmark = pytest.mark.django_db


def player(name: str, **more: object) -> Player:
    found = Player.objects.filter(key=name).first()
    return found or Player.objects.create(key=name, userid=name, joined_at=MONDAY, **more)


def match_of(*names: str, at: datetime = MONDAY, plies: int = 4, **terms: object) -> Match:
    """Begin a match and play some of its moves."""
    challenge = Challenge(game="druid", options="-size=4", terms=terms)
    match = matches.start(
        challenge, [player(name) for name in names], Request(NOBODY, at, AFTER_EVENTS)
    ).match
    for text in MOVES[:plies]:
        mover = match.seats.get(seat=match.seat_to_move).player
        perform(PlayMove("", match.pk, text), Actor(mover), "", at)
        match.refresh_from_db()
    return match


def won(*names: str, at: datetime = MONDAY, plies: int = 4, **terms: object) -> Match:
    """Let the first named win, the second resign; the first named moves first."""
    match = match_of(*names, at=at, plies=plies, **terms)
    matches.record_resignation(match, 1, Request(NOBODY, at, AFTER_EVENTS))
    return match


def ask(command: Command, name: str = "", at: datetime = MONDAY) -> Table:
    reply = perform(command, Actor(player(name)) if name else Actor(), "", at)
    assert isinstance(reply, Table)
    return reply


def test_resignation_after_enough_plies_is_rated_once() -> None:
    match = won("ann", "bob")
    assert list(match.results.order_by("seat").values_list("score", "is_rated")) == [
        (1.0, True),
        (0.0, True),
    ]


def test_resigning_through_the_command_counts() -> None:
    match = match_of("ann", "bob")
    perform(Resign("", match.pk, confirmed=True), Actor(player("bob")), "", MONDAY)
    assert match.results.filter(is_rated=True).count() == 2


def test_game_decided_on_the_board_counts() -> None:
    match = match_of("ann", "bob", plies=0)
    while match.ended_at is None:
        position = matches.position_of(match)
        text = position.format(position.legal_moves()[0])
        mover = match.seats.get(seat=match.seat_to_move).player
        perform(PlayMove("", match.pk, text), Actor(mover), "", MONDAY)
        match.refresh_from_db()
    assert match.results.count() == 2


def test_counting_a_match_a_second_time_changes_nothing() -> None:
    match = won("ann", "bob")
    count(match, MONDAY)
    assert Result.objects.count() == 2
    assert Standing.objects.get(player=player("ann")).won == 1


def test_game_given_up_at_once_is_not_rated() -> None:
    match = won("ann", "bob", plies=3)
    assert not match.results.filter(is_rated=True).exists()
    assert Standing.objects.get(player=player("ann")).won == 1


def test_running_out_of_time_counts_from_two_plies_on() -> None:
    early, late = match_of("ann", "bob", plies=1), match_of("ann", "bob", plies=2)
    for match in (early, late):
        matches.record_forfeit(match, Request(NOBODY, MONDAY, AFTER_EVENTS))
    assert not early.results.filter(is_rated=True).exists()
    assert late.results.filter(is_rated=True).count() == 2


def test_agreed_draw_is_half_a_win_for_both() -> None:
    match = match_of("ann", "bob")
    matches.record_draw(match, 0, Request(NOBODY, MONDAY, AFTER_EVENTS))
    assert set(match.results.values_list("score", "is_rated")) == {(0.5, True)}
    assert Standing.objects.get(player=player("bob")).drawn == 1


def test_unrated_match_moves_no_rating() -> None:
    won("ann", "bob", unrated=True)
    assert not Rating.objects.exists()
    assert Standing.objects.get(player=player("ann")).won == 1


def test_game_against_oneself_is_won_by_nobody() -> None:
    won("ann", "ann")
    assert not Rating.objects.exists()
    assert not Standing.objects.exists()
    assert len(ask(History("druid", ("ann",))).rows) == 1


def test_refused_transaction_counts_nothing() -> None:
    match = match_of("ann", "bob")
    with transaction.atomic():
        matches.record_resignation(match, 1, Request(NOBODY, MONDAY, AFTER_EVENTS))
        transaction.set_rollback(True)
    assert not Result.objects.exists()
    assert not Standing.objects.exists()


def numbers() -> dict[str, tuple[float, ...]]:
    """Return all that is stored of ratings, by player."""
    return {
        row.player.key: (row.rating, row.deviation, row.volatility, row.matches)
        for row in Rating.objects.select_related("player")
    }


def by_the_paper() -> dict[str, tuple[float, ...]]:
    """Rate the stored results anew, in their order, by the simulation's own arithmetic."""
    games = []
    for row in Result.objects.filter(is_rated=True, seat=0).order_by("at", "match_id"):
        assert row.opponent is not None
        games.append(Game("druid", (row.player.key, row.opponent.key), row.score, row.at))
    found = rated(games)
    return {userid: (*vars(one.strength).values(), one.games) for (userid, _), one in found.items()}


def assert_right() -> None:
    """Compare what is stored with the paper."""
    stored, wanted = numbers(), by_the_paper()
    assert set(stored) == set(wanted)
    for userid, found in stored.items():
        assert found == pytest.approx(wanted[userid], abs=1e-4)


def test_ratings_move_when_the_game_ends_in_its_transaction() -> None:
    won("ann", "bob")
    assert set(numbers()) == {"ann", "bob"}
    assert Rating.objects.get(player__key="ann").rating == pytest.approx(1662.2, abs=0.1)
    assert_right()


def test_every_game_is_rated_from_what_both_players_were_just_before_it() -> None:
    for day, pair in enumerate([("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("ann", "bob")]):
        won(*pair, at=MONDAY + 11 * day * DAY)
    assert_right()


def test_deviation_grows_between_games_by_the_part_of_a_period_that_has_passed() -> None:
    won("ann", "bob")
    before = Rating.objects.get(player__key="ann")
    match = won("ann", "cat", at=MONDAY + PERIOD / 4)
    row = match.results.get(seat=0)
    assert row.before_rating == before.rating
    grown = (before.volatility * 173.7178) ** 2 / 4
    assert row.before_deviation == pytest.approx((before.deviation**2 + grown) ** 0.5)


def test_games_that_end_at_the_same_moment_count_in_the_order_of_their_boards() -> None:
    first, second = match_of("ann", "bob"), match_of("ann", "cat")
    matches.record_resignation(second, 1, Request(NOBODY, MONDAY, AFTER_EVENTS))
    alone = numbers()
    matches.record_resignation(first, 1, Request(NOBODY, MONDAY, AFTER_EVENTS))
    assert second.results.get(seat=0).before_rating == pytest.approx(1662.2, abs=0.1)
    assert numbers()["cat"] != alone["cat"]
    assert_right()


def test_result_that_comes_late_takes_its_place_and_later_games_are_rated_anew() -> None:
    late = match_of("ann", "bob")
    won("ann", "cat", at=MONDAY + DAY)
    won("cat", "dan", at=MONDAY + 2 * DAY)
    won("eve", "fay", at=MONDAY + 3 * DAY)
    before = numbers()
    matches.record_resignation(late, 0, Request(NOBODY, MONDAY, AFTER_EVENTS))
    after = numbers()
    assert after["dan"] != before["dan"]  # whom it touches through ann and cat
    assert after["eve"] == before["eve"]
    assert_right()


def test_result_that_is_undone_leaves_no_trace_in_ratings() -> None:
    won("ann", "bob")
    stood = match_of("ann", "cat", at=MONDAY + DAY)
    won("ann", "dan", at=MONDAY + 3 * DAY)
    without = numbers()
    matches.record_forfeit(stood, Request(NOBODY, MONDAY + 2 * DAY, AFTER_EVENTS))
    assert numbers() != without
    undo_forfeit(stood.pk, "The relay was away.", MONDAY + 4 * DAY)
    assert numbers() == without
    assert not Rating.objects.filter(player__key="cat").exists()
    assert Standing.objects.get(player__key="ann").won == 2
    assert_right()


def test_forfeit_that_is_undone_may_be_counted_again_later() -> None:
    match = match_of("ann", "bob")
    matches.record_forfeit(match, Request(NOBODY, MONDAY, AFTER_EVENTS))
    undo_forfeit(match.pk, "The relay was away.", MONDAY + DAY)
    match.refresh_from_db()
    matches.record_resignation(match, 1, Request(NOBODY, MONDAY + 2 * DAY, AFTER_EVENTS))
    assert numbers()["ann"][3] == 1
    assert Rating.objects.get(player__key="ann").rated_at == MONDAY + 2 * DAY
    assert_right()


def test_more_than_one_transaction_rates_waits_for_the_sweep_in_its_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = match_of("ann", "bob")
    pairs = [("ann", "bob"), ("bob", "cat"), ("cat", "dan"), ("dan", "eve"), ("eve", "ann")]
    for day, pair in enumerate(pairs, start=1):
        won(*pair, at=MONDAY + day * DAY)
    monkeypatch.setattr(rating.rate_some, "__defaults__", (2,))
    matches.record_resignation(late, 0, Request(NOBODY, MONDAY, AFTER_EVENTS))
    assert rating.count_waiting() == 4
    # A game that ends meanwhile takes its place behind those that wait.
    won("fay", "gil", at=MONDAY + 9 * DAY)
    assert rating.games_waiting() == ["druid"]
    rating.sweep()
    assert rating.count_waiting() == 0
    assert_right()


def test_sweep_that_is_stopped_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(6):
        won("ann", "bob", at=MONDAY + day * DAY)
    Result.objects.update(**dict.fromkeys(rating.NUMBERS))
    Rating.objects.all().delete()
    keep = rating._keep_ratings

    def stop_at_the_second(game: str, current: dict[int, rating.Current]) -> None:
        if rating.count_waiting() < 4:
            raise RuntimeError
        keep(game, current)

    monkeypatch.setattr(rating, "_keep_ratings", stop_at_the_second)
    monkeypatch.setattr(rating.rate_some, "__defaults__", (2,))
    with pytest.raises(RuntimeError):
        rating.sweep()
    assert (rating.count_waiting(), numbers()["ann"][3]) == (4, 2)
    monkeypatch.setattr(rating, "_keep_ratings", keep)
    rating.sweep()
    assert_right()


def test_rating_twice_changes_nothing() -> None:
    won("ann", "bob")
    before = list(Result.objects.order_by("pk").values()), numbers()
    rating.sweep()
    rating.rate_some("druid")
    assert (list(Result.objects.order_by("pk").values()), numbers()) == before


def test_guests_are_unrated() -> None:
    player("guest-1", is_guest=True)
    match = won("ann", "guest-1")
    assert not match.results.filter(is_rated=True).exists()
    assert not Rating.objects.exists()
    game = view_finished(match.pk, None)
    assert game is not None
    assert game.unrated == "a guest played"
    # The account that a guest becomes keeps the game, and it stays unrated.
    Player.objects.update(is_guest=False)
    game = view_finished(match.pk, None)
    assert game is not None
    assert (game.unrated, game.changes) == ("", ())


def test_programs_have_no_rating_until_a_game_and_begin_at_their_level() -> None:
    player("bot4", is_bot=True, level=4)
    assert rating_list("druid", MONDAY) == ()
    match = won("ann", "bot4")
    row = match.results.get(seat=1)
    assert (row.before_rating, row.before_deviation) == (1450, 200)
    assert [one.userid for one in rating_list("druid", MONDAY)] == ["ann", "bot4"]


def test_matches_of_a_release_without_results_are_counted_and_rated_in_their_order() -> None:
    for day, pair in enumerate([("ann", "bob"), ("bob", "cat"), ("cat", "ann")]):
        won(*pair, at=MONDAY + day * DAY)
    before = numbers()
    for table in (Result, Standing, Encounter, Rating):
        table.objects.all().delete()
    seen: list[tuple[int, int]] = []
    recompute(lambda rated, of: seen.append((rated, of)))
    assert seen == [(3, 3)]
    assert numbers() == before
    assert Standing.objects.get(player__key="ann").won == 1
    recompute(lambda rated, of: seen.append((rated, of)))
    assert seen == [(3, 3)]


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
    ranks = [rated_player(player(name), "druid", MONDAY) for name in ("bob", "new")]
    assert [one.rank for one in ranks if one] == [3, None]


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
        ("", "bob", "1338?", "-162", "1"),
    ]


def test_ratings_of_named_players_tell_of_each_game_what_it_changed_last() -> None:
    won("ann", "bob")
    player("cat")
    table = ask(Ratings("", ("ann", "bob", "cat")))
    assert [row[:5] for row in table.rows] == [
        ("druid", "", "ann", "1662?", "+162"),
        ("druid", "", "bob", "1338?", "-162"),
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
