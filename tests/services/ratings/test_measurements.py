"""Where programs begin at a game at which they were measured."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rated_matches import DAY, MONDAY, match_of, won
from sarsen.games import names
from sarsen.services.admin.verify_totals import rating_differences
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.bots.accounts import list_programs, make_accounts
from sarsen.services.matches import matches
from sarsen.services.ratings import counting, measurements, rating
from sarsen.services.ratings.glicko import Strength, rate_game
from sarsen.services.ratings.pages import rating_list
from sarsen.services.request import NOBODY, Request
from sarsen.storage.models import Match, Measurement, Rating, Result

pytestmark = pytest.mark.django_db

MEASURED = (1000.0, 1210.5, 1402.0, 1600.0, 1744.0, 1815.0, 2003.0, 2160.0)
DRUID = names().index("druid")


@pytest.fixture(autouse=True)
def _programs(db: None) -> None:
    make_accounts(MONDAY)


def measure(version: str = "1-1.0", ratings: tuple[float, ...] = MEASURED) -> None:
    measurements.begin("druid", version, played=0, games=400)
    measurements.finish("druid", ratings)


def shown() -> list[str]:
    return [one.ratings[DRUID] for one in list_programs(with_ratings=True)]


def numbers() -> list[Any]:
    """Return all that was computed of the results, in the order in which the games ended."""
    rows = Result.objects.order_by("at", "match_id", "seat")
    return list(rows.values_list(*rating.NUMBERS)) + list(
        Rating.objects.order_by("player__key").values_list("player__key", "rating", "deviation")
    )


def play_three() -> None:
    won("ann", "bot3")
    won("bot5", "ann", at=MONDAY + DAY)
    won("ann", "bob", at=MONDAY + 2 * DAY)


def test_measured_ratings_are_shown_before_a_program_has_played_anybody() -> None:
    measurements.begin("druid", "1-1.0", played=0, games=400)
    assert shown() == [""] * 8
    measurements.finish("druid", MEASURED)
    assert shown() == ["1000", "1210", "1402", "1600", "1744", "1815", "2003", "2160"]


def test_measured_program_begins_its_first_rated_game_there() -> None:
    measure()
    won("ann", "bot3")
    first = Result.objects.get(player__key="bot3")
    assert (first.before_rating, first.before_deviation) == (1402.0, 100.0)
    _, after = rate_game(Strength(), Strength(1402.0, 100.0), 1.0)
    assert first.rating == pytest.approx(after.rating)
    assert shown()[2] == f"{after.rating:.0f}"


def test_level_that_was_not_measured_begins_as_in_any_game() -> None:
    measure(ratings=MEASURED[:4])
    assert shown() == ["1000", "1210", "1402", "1600", "", "", "", ""]
    won("ann", "bot5")
    first = Result.objects.get(player__key="bot5")
    assert (first.before_rating, first.before_deviation) == (1600.0, 200.0)


@pytest.mark.postgres
def test_games_that_a_program_had_played_count_as_if_it_had_been_measured_before() -> None:
    measure()
    play_three()
    afterwards = numbers()
    Result.objects.all().delete()
    Rating.objects.all().delete()
    Measurement.objects.all().delete()
    play_three()
    assert numbers() != afterwards
    measure()
    assert numbers() == [pytest.approx(row) for row in afterwards]
    assert not list(rating_differences())


def test_ratings_of_an_earlier_version_stay_until_the_new_one_is_measured() -> None:
    measure()
    measurements.begin("druid", "1-1.1", played=0, games=400)
    assert shown()[1] == "1210"
    measurements.give_up("druid")
    assert shown()[1] == "1210"
    measure("1-1.2", tuple(one + 50 for one in MEASURED))
    assert shown()[1] == "1260"


def test_version_is_due_until_it_is_measured_or_given_up() -> None:
    assert measurements.is_due("druid", "1-1.0")
    measurements.begin("druid", "1-1.0", played=0, games=400)
    assert measurements.is_due("druid", "1-1.0")
    measurements.give_up("druid")
    assert not measurements.is_due("druid", "1-1.0")
    measure("1-1.1")
    assert not measurements.is_due("druid", "1-1.1")
    assert measurements.is_due("druid", "2-1.1")
    assert measurements.is_due("gyges", "1-1.1")


def test_end_of_a_game_between_people_asks_for_no_measurement() -> None:
    match = match_of("ann", "bob")
    with CaptureQueriesContext(connection) as asked:
        matches.record_resignation(match, 1, Request(NOBODY, MONDAY, AFTER_EVENTS))
    assert Result.objects.filter(rating__isnull=False).count() == 2
    assert not [one for one in asked if "measurement" in one["sql"]]


def unknown_games() -> None:
    """Play games against programs that nobody measured, and one between people."""
    won("ann", "bot1")
    won("bot5", "bob", at=MONDAY + DAY)
    won("ann", "bob", at=MONDAY + 2 * DAY)


def test_a_program_that_nobody_measured_counts_for_no_rating_and_has_no_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    won("ann", "bob", at=MONDAY - DAY)
    alone = {row.player.key: row.rating for row in Rating.objects.all()}
    monkeypatch.setattr(rating, "is_plugin", lambda game: game == "druid")
    for opponents in (("ann", "bot1"), ("bot5", "bob")):
        match = won(*opponents)
        ended = counting.view_finished(match.pk, None)
        assert ended is not None
        assert ended.changes == ()
        assert ended.unrated == "the bot's strength at this game is not known yet"
    assert {row.player.key: row.rating for row in Rating.objects.all()} == alone
    assert shown() == [""] * 8
    listed = [line.userid for line in rating_list("druid", MONDAY + DAY)]
    assert sorted(listed) == ["ann", "bob"]
    measure(ratings=MEASURED[:4])
    assert won("ann", "bot4", at=MONDAY + DAY).results.filter(is_rated=True).count() == 2
    assert won("ann", "bot5", at=MONDAY + DAY).results.filter(is_rated=True).count() == 0


def test_games_that_counted_without_a_measurement_are_taken_out_at_the_next_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    won("ann", "bob", at=MONDAY + 2 * DAY)
    alone = numbers()
    Match.objects.all().delete()
    Rating.objects.all().delete()
    unknown_games()
    assert numbers() != alone
    monkeypatch.setattr(rating, "is_plugin", lambda game: game == "druid")
    counting.recompute(lambda rated, of: None)
    assert [row for row in numbers() if row[-1] is not None] == alone
    assert not Result.objects.filter(is_rated=True, player__is_bot=True).exists()
    counting.recompute(lambda rated, of: None)
    assert [row for row in numbers() if row[-1] is not None] == alone
    assert not list(rating_differences())
