"""Vacations: within the allowance, not retroactive, and given back when not used."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from pytest_django.fixtures import Settings

from sarsen.core.errors import UserError
from sarsen.language.commands import Accept, MakeChallenge, PlayMove, TakeVacation
from sarsen.language.replies import ChallengeStands, Reply, VacationEnded, VacationTaken, sentence
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.boards.view import view_board
from sarsen.services.clocks import vacations
from sarsen.services.clocks.running import sweep
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Heartbeat, Match, Player, Vacation

pytestmark = [pytest.mark.django_db(reset_sequences=True), pytest.mark.postgres]
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


def player(userid: str, zone: str = "UTC") -> Actor:
    made = Player.objects.create(key=userid, userid=userid, joined_at=NOW, timezone=zone)
    return Actor(made)


@pytest.fixture
def ann() -> Actor:
    return player("ann", "Europe/Berlin")


def board(ann: Actor, bob: Actor, *terms: str) -> Match:
    made = perform(MakeChallenge("druid", "-size=4", terms, ("ann", "bob")), ann, "", NOW)
    assert isinstance(made, ChallengeStands)
    stands = perform(Accept(made.number), bob, "", NOW)
    assert isinstance(stands, ChallengeStands)
    return Match.objects.get(pk=stands.board)


def away(actor: Actor, first: str, last: str, now: datetime = NOW) -> Reply:
    return perform(TakeVacation(first, last), actor, "", now)


def off(actor: Actor, now: datetime = NOW) -> Reply:
    return perform(TakeVacation(is_off=True), actor, "", now)


def refusal(actor: Actor, first: str, last: str, now: datetime = NOW) -> UserError:
    with pytest.raises(UserError) as refused:
        away(actor, first, last, now)
    return refused.value


def works(actor: Actor, hint: str, now: datetime = NOW) -> bool:
    words = hint.removeprefix("vacation ").split()
    reply = off(actor, now) if words == ["off"] else away(actor, *words, now=now)
    return isinstance(reply, VacationTaken | VacationEnded)


def stored() -> list[tuple[date, date]]:
    return list(Vacation.objects.values_list("first_day", "last_day"))


def test_a_vacation_lasts_from_the_first_midnight_to_the_last_where_the_player_lives(
    ann: Actor,
) -> None:
    reply = away(ann, "2026-12-24", "2027-01-02")
    assert reply == VacationTaken(
        "2026-12-24", "2027-01-02", "2026-11-23", ((2026, 22), (2027, 28))
    )
    assert sentence(reply) == (
        "Your clocks are stopped from Thu 24 Dec to Sat 2 Jan 2027, inclusive. "
        "Left: 22 days for 2026, 28 days for 2027."
    )
    taken = Vacation.objects.get()
    assert taken.starts_at == datetime(2026, 12, 23, 23, tzinfo=UTC)
    assert taken.ends_at == datetime(2027, 1, 2, 23, tzinfo=UTC)


def test_a_vacation_stops_the_running_clock_of_who_takes_it_and_no_other(ann: Actor) -> None:
    bob = player("bob")
    match = board(ann, bob)
    away(bob, "today", "2026-11-30")
    match.refresh_from_db()
    assert match.due_at == NOW + 21 * DAY
    away(ann, "2026-11-25", "2026-11-26")
    match.refresh_from_db()
    assert match.due_at == NOW + 23 * DAY
    clock = view_board(match.pk).clock
    assert clock is not None
    assert clock.due_at == match.due_at
    assert {one.userid for one in clock.away} == {"ann", "bob"}


def test_a_turn_that_begins_in_a_vacation_waits_for_its_end(ann: Actor) -> None:
    bob = player("bob")
    match = board(ann, bob)
    away(bob, "today", "2026-11-30")
    perform(PlayMove("druid", match.pk, "a1"), ann, "", NOW + DAY)
    match.refresh_from_db()
    assert match.due_at == datetime(2026, 12, 1, tzinfo=UTC) + 21 * DAY


def test_today_counts_as_a_day_but_stops_the_clock_only_from_now(ann: Actor) -> None:
    reply = away(ann, "today", "today")
    assert isinstance(reply, VacationTaken)
    assert reply.left == ((2026, 29),)
    assert Vacation.objects.get().starts_at == NOW


def test_nobody_loses_on_vacation_and_no_reminder_comes(ann: Actor) -> None:
    match = board(ann, player("bob"), "--forfeittime=4")
    now = NOW
    away(ann, "today", "2026-12-10")
    while now < NOW + 18 * DAY:
        now += 5 * HOUR
        Heartbeat.objects.update_or_create(name="clocks", defaults={"at": now})
        sweep(now, AFTER_EVENTS)
    match.refresh_from_db()
    assert (match.ended_at, match.reminders) == (None, 0)


def test_a_vacation_in_the_past_is_refused_with_one_that_works(ann: Actor) -> None:
    refused = refusal(ann, "2026-11-20", "2026-11-25")
    assert (refused.code, refused.hint) == ("vacation-past", "vacation today 2026-11-25")
    assert works(ann, refused.hint)


def test_days_the_wrong_way_round_are_refused_with_the_right_way(ann: Actor) -> None:
    refused = refusal(ann, "2026-12-10", "2026-12-05")
    assert refused.code == "vacation-backwards"
    assert works(ann, refused.hint)
    assert stored() == [(date(2026, 12, 5), date(2026, 12, 10))]


def test_more_days_than_a_year_allows_are_refused_with_as_many_as_it_does(ann: Actor) -> None:
    away(ann, "2026-11-25", "2026-12-04")
    refused = refusal(ann, "2026-12-10", "2027-01-20")
    assert refused.code == "vacation-allowance"
    assert "32 vacation days in 2026" in refused.text
    assert "30 a year are allowed, and 10 are taken" in refused.text
    assert refused.hint == "vacation 2026-12-10 2026-12-29"
    taken = away(ann, *refused.hint.split()[1:])
    assert isinstance(taken, VacationTaken)
    assert taken.left == ((2026, 0),)


def test_with_no_day_left_the_way_out_is_to_give_days_back(ann: Actor) -> None:
    away(ann, "2026-12-01", "2026-12-30")
    refused = refusal(ann, "2026-11-25", "2026-11-25")
    assert works(ann, refused.hint)


def test_each_day_of_a_vacation_over_new_year_counts_in_its_own_year(ann: Actor) -> None:
    away(ann, "2026-12-20", "2027-01-15")
    away(ann, "2027-02-01", "2027-02-15")
    refused = refusal(ann, "2027-03-01", "2027-03-01", NOW)
    assert "31 vacation days in 2027" in refused.text


@pytest.mark.parametrize(
    ("taken", "asked"),
    [
        ((), ("2026-12-10", "2027-01-20")),
        (("2026-12-17", "2026-12-31"), ("2027-01-01", "2027-01-20")),
        (("2027-01-01", "2027-01-20"), ("2026-12-17", "2026-12-31")),
    ],
)
def test_a_vacation_longer_than_the_longest_is_refused_with_one_that_is_taken(
    ann: Actor, settings: Settings, taken: tuple[str, ...], asked: tuple[str, str]
) -> None:
    settings.SARSEN_VACATION_DAYS = 30
    if taken:
        away(ann, *taken)
    refused = refusal(ann, *asked)
    assert refused.code == "vacation-too-long"
    assert works(ann, refused.hint)
    longest = max((last - first).days + 1 for first, last in stored())
    assert longest <= 30


def test_vacations_that_overlap_or_touch_become_one_and_no_day_counts_twice(ann: Actor) -> None:
    away(ann, "2026-12-01", "2026-12-05")
    away(ann, "2026-12-10", "2026-12-12")
    away(ann, "2026-12-04", "2026-12-08")
    assert stored() == [
        (date(2026, 12, 1), date(2026, 12, 8)),
        (date(2026, 12, 10), date(2026, 12, 12)),
    ]
    reply = away(ann, "2026-12-09", "2026-12-09")
    assert stored() == [(date(2026, 12, 1), date(2026, 12, 12))]
    assert isinstance(reply, VacationTaken)
    assert reply.left == ((2026, 18),)


def test_off_ends_a_vacation_now_and_gives_the_days_not_used_back(ann: Actor) -> None:
    match = board(ann, player("bob"))
    away(ann, "today", "2026-12-02")
    away(ann, "2026-12-24", "2026-12-26")
    reply = off(ann, NOW + 2 * DAY)
    assert reply == VacationEnded(was_away=True, was_planned=True, left=((2026, 27),))
    match.refresh_from_db()
    assert match.due_at == NOW + 23 * DAY
    assert stored() == [(date(2026, 11, 23), date(2026, 11, 25))]


def test_off_and_away_again_on_one_day_counts_it_once_and_runs_in_between(ann: Actor) -> None:
    match = board(ann, player("bob"))
    away(ann, "today", "today")
    off(ann, NOW + HOUR)
    reply = away(ann, "today", "2026-11-24", NOW + 3 * HOUR)
    assert isinstance(reply, VacationTaken)
    assert reply.left == ((2026, 28),)
    match.refresh_from_db()
    end = datetime(2026, 11, 24, 23, tzinfo=UTC)
    assert match.due_at == end + 21 * DAY - 2 * HOUR


def test_off_without_a_vacation_is_refused(ann: Actor) -> None:
    with pytest.raises(UserError) as refused:
        off(ann)
    assert refused.value.code == "no-vacation"
    assert works(ann, refused.value.hint)


def test_a_vacation_more_than_a_year_ahead_is_refused(ann: Actor) -> None:
    refused = refusal(ann, "2028-01-01", "2028-01-02")
    assert refused.code == "vacation-too-far"
    assert works(ann, refused.hint)


def test_who_is_away_now_is_told_with_the_last_day(ann: Actor) -> None:
    bob = player("bob")
    away(ann, "today", "2026-11-30")
    away(bob, "tomorrow", "2026-11-30")
    assert ann.player is not None
    assert bob.player is not None
    keys = [ann.player.pk, bob.player.pk]
    assert vacations.away_now(keys, NOW) == {ann.player.pk: date(2026, 11, 30)}
    assert len(vacations.planned(bob.player, NOW)) == 1
