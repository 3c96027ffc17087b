"""Results counted at the end of matches, periods closed, and what the commands show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from sarsen.core.errors import UserError
from sarsen.language.commands import Command, History, PlayMove, Ratings, Resign, Standings
from sarsen.language.replies import Table, Tables
from sarsen.services import matches
from sarsen.services.call import Actor
from sarsen.services.dispatch import perform
from sarsen.services.finished import view_finished
from sarsen.services.ratings import closing
from sarsen.services.ratings.pages import rank_of, rating_histories, rating_list
from sarsen.services.ratings.periods import rate_periods
from sarsen.services.ratings.present import present
from sarsen.services.standings import meetings
from sarsen.storage.models import (
    Challenge,
    Encounter,
    Match,
    OutgoingMail,
    Player,
    Rating,
    RatingPeriod,
    RatingStep,
    Result,
    Standing,
)

MONDAY = datetime(2026, 11, 2, tzinfo=UTC)
DAY = timedelta(days=1)
MOVES = ("a1", "d4", "a2", "c4")


@pytest.fixture(autouse=True)
def weeks(db: None, settings: Settings) -> None:
    """Count a week as a period, and begin the first one."""
    settings.SARSEN_RATING_PERIOD_DAYS = 7
    closing.sweep(MONDAY)


def player(name: str, **more: object) -> Player:
    found = Player.objects.filter(key=name).first()
    return found or Player.objects.create(key=name, userid=name, joined_at=MONDAY, **more)


def match_of(*names: str, at: datetime = MONDAY, plies: int = 4, **terms: object) -> Match:
    """Begin a match and play some of its moves."""
    challenge = Challenge(game="druid", options="-size=4", terms=terms)
    match = matches.start(challenge, [player(name) for name in names], at)
    for text in MOVES[:plies]:
        mover = match.seats.get(seat=match.seat_to_move).player
        perform(PlayMove("", match.pk, text), Actor(mover), "", at)
        match.refresh_from_db()
    return match


def won(*names: str, at: datetime = MONDAY, plies: int = 4, **terms: object) -> Match:
    """Let the first named win, the second resign; the first named moves first."""
    match = match_of(*names, at=at, plies=plies, **terms)
    matches.record_resignation(match, 1, at)
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
    closing.count(match, MONDAY)
    assert Result.objects.count() == 2
    assert Standing.objects.get(player=player("ann")).won == 1


def test_game_given_up_at_once_is_not_rated() -> None:
    match = won("ann", "bob", plies=3)
    assert not match.results.filter(is_rated=True).exists()
    assert Standing.objects.get(player=player("ann")).won == 1


def test_running_out_of_time_counts_from_two_plies_on() -> None:
    early, late = match_of("ann", "bob", plies=1), match_of("ann", "bob", plies=2)
    for match in (early, late):
        matches.record_forfeit(match, MONDAY)
    assert not early.results.filter(is_rated=True).exists()
    assert late.results.filter(is_rated=True).count() == 2


def test_agreed_draw_is_half_a_win_for_both() -> None:
    match = match_of("ann", "bob")
    matches.record_draw(match, 0, MONDAY)
    assert set(match.results.values_list("score", "is_rated")) == {(0.5, True)}
    assert Standing.objects.get(player=player("bob")).drawn == 1


def test_unrated_match_moves_no_rating() -> None:
    won("ann", "bob", unrated=True)
    closing.sweep(MONDAY + 7 * DAY)
    assert not Rating.objects.exists()
    assert Standing.objects.get(player=player("ann")).won == 1


def test_game_against_oneself_is_won_by_nobody() -> None:
    won("ann", "ann")
    closing.sweep(MONDAY + 7 * DAY)
    assert not Rating.objects.exists()
    assert not Standing.objects.exists()
    assert len(ask(History("druid", ("ann",))).rows) == 1


def test_refused_transaction_counts_nothing() -> None:
    match = match_of("ann", "bob")
    with transaction.atomic():
        matches.record_resignation(match, 1, MONDAY)
        transaction.set_rollback(True)
    assert not Result.objects.exists()
    assert not Standing.objects.exists()


def test_period_counts_all_its_games_together_when_it_is_over() -> None:
    won("ann", "bob")
    won("bob", "cat", at=MONDAY + DAY)
    assert closing.sweep(MONDAY + 7 * DAY - timedelta(seconds=1)) == 0
    assert not Rating.objects.exists()
    assert closing.sweep(MONDAY + 7 * DAY) == 1
    expected = rate_periods([[("ann", "bob", 1.0), ("bob", "cat", 1.0)]])
    for row in Rating.objects.select_related("player"):
        strength = expected[row.player.key]
        assert (row.rating, row.deviation) == pytest.approx((strength.rating, strength.deviation))
    assert Rating.objects.count() == 3


def test_closing_again_changes_nothing() -> None:
    won("ann", "bob")
    closing.sweep(MONDAY + 7 * DAY)
    before = list(Rating.objects.order_by("pk").values())
    assert closing.sweep(MONDAY + 7 * DAY) == 0
    assert list(Rating.objects.order_by("pk").values()) == before
    assert RatingStep.objects.count() == 2


def test_missed_periods_are_closed_one_after_the_other() -> None:
    won("ann", "bob", at=MONDAY + DAY)
    won("bob", "ann", at=MONDAY + 15 * DAY)
    assert closing.sweep(MONDAY + 30 * DAY) == 4
    expected = rate_periods([[("ann", "bob", 1.0)], [], [("bob", "ann", 1.0)]])
    for name in ("ann", "bob"):
        row = Rating.objects.get(player__key=name)
        assert row.rating == pytest.approx(expected[name].rating)
        assert row.deviation == pytest.approx(expected[name].deviation)
        assert row.period == 3


def test_sweep_stopped_between_two_games_goes_on_there(monkeypatch: pytest.MonkeyPatch) -> None:
    won("ann", "bob")
    other = won("cat", "dan")
    Match.objects.filter(pk=other.pk).update(game="vasco")
    Result.objects.filter(match=other).update(game="vasco")
    work = closing._close_game

    def stop_at_vasco(period: RatingPeriod, game: str, now: datetime) -> None:
        if game == "vasco":
            raise RuntimeError
        work(period, game, now)

    monkeypatch.setattr(closing, "_close_game", stop_at_vasco)
    with pytest.raises(RuntimeError):
        closing.sweep(MONDAY + 7 * DAY)
    monkeypatch.undo()
    anns = Rating.objects.get(player__key="ann").rating
    closing.sweep(MONDAY + 7 * DAY)
    assert Rating.objects.get(player__key="ann").rating == anns
    assert Rating.objects.filter(game="vasco").count() == 2
    assert RatingStep.objects.count() == 4


def test_result_that_comes_after_its_period_was_counted_is_counted_in_the_next() -> None:
    won("ann", "bob")
    closing.sweep(MONDAY + 7 * DAY)
    late = won("ann", "cat", at=MONDAY + 6 * DAY)
    closing.sweep(MONDAY + 14 * DAY)
    assert set(late.results.values_list("period", flat=True)) == {2}
    assert Rating.objects.get(player__key="ann").matches == 2


def test_many_players_are_counted_some_at_a_time_with_what_they_were_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(closing, "AT_ONCE", 2)
    pairs = [("ann", "bob"), ("bob", "cat"), ("cat", "dan"), ("dan", "eve"), ("eve", "ann")]
    for week in range(2):
        for pair in pairs:
            won(*pair, at=MONDAY + week * 7 * DAY)
        closing.sweep(MONDAY + (week + 1) * 7 * DAY)
    results = [(*pair, 1.0) for pair in pairs]
    expected = rate_periods([results, results])
    for row in Rating.objects.select_related("player"):
        assert row.rating == pytest.approx(expected[row.player.key].rating)


def test_matches_from_before_there_were_ratings_count_in_the_first_period() -> None:
    won("ann", "bob")
    Result.objects.all().delete()
    Standing.objects.all().delete()
    RatingPeriod.objects.all().delete()
    closing.sweep(MONDAY + DAY)
    assert Standing.objects.get(player__key="ann").won == 1
    closing.sweep(MONDAY + 7 * DAY)
    assert Rating.objects.count() == 2


def test_estimate_is_what_the_period_will_give_if_nothing_more_happens() -> None:
    won("ann", "bob")
    estimate = present(player("ann"), "druid").estimate
    assert estimate is not None
    closing.sweep(MONDAY + 7 * DAY)
    assert Rating.objects.get(player__key="ann").rating == pytest.approx(estimate.rating)
    assert present(player("ann"), "druid").estimate is None


def test_players_with_a_rating_hear_of_a_closed_period_once() -> None:
    won("ann", "bob")
    ann = player("ann")
    ann.addresses.create(address="ann@ann.example", confirmed_at=MONDAY)
    closing.sweep(MONDAY + 7 * DAY)
    closing.sweep(MONDAY + 14 * DAY)
    assert OutgoingMail.objects.filter(kind="rating", player=ann).count() == 1


def _certain(name: str, rating: float, deviation: float = 60, **more: object) -> None:
    Rating.objects.create(
        player=player(name, **more),
        game="druid",
        rating=rating,
        deviation=deviation,
        volatility=0.06,
        matches=20,
        period=1,
    )


def test_rating_list_ranks_the_certain_and_marks_provisional_ones_and_bots() -> None:
    _certain("bob", 1700)
    _certain("ann", 1800)
    _certain("hal", 1750, is_bot=True)
    _certain("new", 1900, deviation=200)
    closing.sweep(MONDAY + 7 * DAY)
    rows = ask(Ratings("druid"), at=MONDAY + 8 * DAY).rows
    assert [(row[0], row[1], row[2], row[5]) for row in rows] == [
        ("1", "ann", "1800", ""),
        ("2", "hal", "1750", "(program)"),
        ("3", "bob", "1700", ""),
        ("", "new", "1900?", ""),
    ]
    assert rows[0][3] == "1680-1920"
    assert rank_of(player("bob"), "druid") == 3
    assert rank_of(player("new"), "druid") is None


def test_rating_of_somebody_long_idle_becomes_provisional_without_being_written() -> None:
    _certain("ann", 1800, deviation=100)
    closing.sweep(MONDAY + 7 * DAY)
    assert rating_list("druid")[0].rank == 1
    for _ in range(2):  # a run closes a bounded number of periods
        closing.sweep(MONDAY + 25 * 7 * DAY)
    (ann,) = rating_list("druid")
    assert ann.rank is None
    assert ann.strength.is_provisional
    assert Rating.objects.get().deviation == 100


def test_who_has_left_is_not_in_the_rating_list() -> None:
    _certain("ann", 1800)
    Player.objects.update(is_active=False)
    assert rating_list("druid") == ()


def test_ratings_of_named_players_tell_what_the_running_period_makes_of_them() -> None:
    won("ann", "bob")
    table = ask(Ratings("", ("ann", "bob")))
    assert "about, on Mon 9 Nov 00:00 UTC" in table.columns
    assert [(*row[:4], row[6]) for row in table.rows] == [
        ("druid", "", "ann", "1500?", "1662?"),
        ("druid", "", "bob", "1500?", "1338?"),
    ]


def test_ratings_of_all_games_leave_empty_ones_out() -> None:
    _certain("ann", 1800)
    reply = perform(Ratings(""), Actor(), "", MONDAY)
    assert isinstance(reply, Tables)
    assert [table.title for table in reply.tables] == ["Druid ratings"]


def test_rating_history_has_a_point_a_period_with_games() -> None:
    won("ann", "bob")
    won("ann", "bob", at=MONDAY + 15 * DAY)
    closing.sweep(MONDAY + 28 * DAY)
    points = rating_histories(player("ann"))["druid"]
    assert [point.at for point in points] == [MONDAY + 7 * DAY, MONDAY + 21 * DAY]
    assert points[0].rating < points[1].rating


def test_standings_count_won_lost_and_drawn() -> None:
    won("ann", "bob")
    won("ann", "cat")
    matches.record_draw(match_of("ann", "bob"), 0, MONDAY)
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
    closing.sweep(MONDAY + 7 * DAY)
    second = won("bob", "ann", at=MONDAY + 8 * DAY)
    third = won("bob", "ann", at=MONDAY + 9 * DAY, unrated=True)
    rows = ask(History("", ("ann",))).rows
    assert [row[1] for row in rows] == [str(one.pk) for one in (third, second, first)]
    assert rows[0][0] == "2026-11-11"
    assert [row[5] for row in rows] == ["bob", "bob", "ann"]
    assert rows[0][7] == "unrated"
    assert rows[1][7].startswith("1662? to about 1")
    assert rows[2][7] == "new to 1662?"


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
    assert game.changes[0].before is None
    assert game.changes[0].ends_at == MONDAY + 7 * DAY
    assert not game.changes[0].is_final
    closing.sweep(MONDAY + 7 * DAY)
    later = view_finished(match.pk, None)
    assert later is not None
    assert later.changes[0].is_final
    assert later.changes[0].after == pytest.approx(game.changes[0].after)


def test_running_game_is_no_finished_one() -> None:
    assert view_finished(match_of("ann", "bob").pk, None) is None


def test_finished_private_game_is_hidden_from_others() -> None:
    match = won("ann", "bob", private=True)
    with pytest.raises(UserError):
        view_finished(match.pk, player("cat"))
    assert view_finished(match.pk, player("ann")) is not None
