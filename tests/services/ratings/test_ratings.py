"""Results counted and rated at the end of matches."""

from __future__ import annotations

import pytest
from django.db import transaction
from simulation.rating_audit import Game, rated

from rated_matches import DAY, MONDAY, ask, match_of, player, won
from sarsen.language.commands import History, PlayMove, Resign
from sarsen.services.admin.actions import undo_forfeit
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.ratings import count, rating
from sarsen.services.ratings.counting import recompute, view_finished
from sarsen.services.ratings.glicko import PERIOD
from sarsen.services.ratings.pages import rating_list
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    Encounter,
    Player,
    Rating,
    Result,
    Standing,
)

pytestmark = pytest.mark.django_db


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
    monkeypatch.setattr(rating, "AT_ONCE", 2)
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
    keep = rating._store_ratings

    def stop_at_the_second(game: str, current: dict[int, rating.CurrentRating]) -> None:
        if rating.count_waiting() < 4:
            raise RuntimeError
        keep(game, current)

    monkeypatch.setattr(rating, "_store_ratings", stop_at_the_second)
    monkeypatch.setattr(rating, "AT_ONCE", 2)
    with pytest.raises(RuntimeError):
        rating.sweep()
    assert (rating.count_waiting(), numbers()["ann"][3]) == (4, 2)
    monkeypatch.setattr(rating, "_store_ratings", keep)
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
