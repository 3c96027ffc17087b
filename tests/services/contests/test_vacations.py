"""Vacations in contests: they count up to a bound, and that is told before (E3)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest_world import DAY, ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.commands import MakeContest, ShowContest
from sarsen.language.ratings import Table
from sarsen.services import clocks
from sarsen.services.clocks.turns import (
    Pauses,
    Span,
    counted_time,
    counted_vacations,
    uncounted_vacations,
)
from sarsen.services.contests.course import deciding
from sarsen.services.matches.terms import VacationLimit
from sarsen.storage.models import Contest, ContestEvent, Match, Vacation

START = datetime(2027, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def started(*terms: str) -> ContestWorld:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8", terms=terms)
    return world


def away(world: ContestWorld, userid: str, begin: datetime, days: int) -> None:
    """Store a vacation, and work out the clocks, as `vacation` does."""
    player = world.world.player(userid)
    boards = clocks.lock_boards_of(player)
    Vacation.objects.create(
        player=player,
        starts_at=begin,
        ends_at=begin + days * DAY,
        first_day=begin.date(),
        last_day=(begin + (days - 1) * DAY).date(),
    )
    clocks.recalculate_deadlines(boards, world.now)


def due_at(world: ContestWorld, userid: str) -> datetime:
    """Return when the first of a player's moves is due."""
    boards = Match.objects.filter(contest_board__contest=world.number, ended_at=None)
    dues = [
        match.due_at
        for match in boards
        if match.seat_rows[match.seat_to_move].player.userid == userid
    ]
    found = min(one for one in dues if one is not None)
    assert isinstance(found, datetime)
    return found


def told(world: ContestWorld) -> list[tuple[datetime, str]]:
    events = ContestEvent.objects.filter(contest=world.number, kind="warned")
    return [(one.due, one.facts["until"]) for one in events if one.facts["why"] == "vacation"]


@pytest.mark.django_db
def test_e3_a_vacation_stops_the_clocks_for_ten_days_and_then_they_run_on() -> None:
    world = started("--vacation=10", "--nagtime=13", "--forfeittime=14")
    assert due_at(world, "bob") == START + 14 * DAY
    away(world, "bob", START + DAY, 14)
    assert due_at(world, "bob") == START + 24 * DAY
    world.wait(8 * DAY)
    assert told(world) == []
    world.wait(DAY)
    # Two days before the eleventh of March, on which the clocks run on.
    assert told(world) == [(START + 9 * DAY, (START + 11 * DAY).isoformat())]
    assert world.letters("contest-vacation") == ["bob"]
    world.wait(5 * DAY)
    assert len(told(world)) == 1


@pytest.mark.django_db
def test_e3_a_vacation_that_is_too_long_at_once_is_told_when_it_begins() -> None:
    world = started("--vacation=1")
    away(world, "bob", START + 2 * DAY, 5)
    world.wait(3 * DAY)
    assert told(world) == [(START + 2 * DAY, (START + 3 * DAY).isoformat())]
    # Nothing is left of it for another one.
    away(world, "bob", START + 8 * DAY, 2)
    world.wait(6 * DAY)
    assert told(world)[1:] == [(START + 8 * DAY, (START + 8 * DAY).isoformat())]


@pytest.mark.django_db
def test_e3_a_quarter_of_the_days_unless_the_host_says_otherwise_and_none_with_0() -> None:
    world = started("--days=60")
    assert Contest.objects.get().law["vacation"] == 15
    none = started("--vacation=0")
    away(none, "bob", START + DAY, 3)
    assert due_at(none, "bob") == START + 14 * DAY
    assert due_at(world, "bob") == START + 17 * DAY
    for one, words in ((world, "Up to 15 days"), (none, "Vacations do not stop")):
        law = one.say("ann", ShowContest(one.number, "law"))
        assert isinstance(law, Table)
        assert any(words in str(row[0]) for row in law.rows)
    too_long = MakeContest("druid", "round-robin", "-size=8", ("--vacation=400",))
    with pytest.raises(UserError) as refusal:
        world.say("bob", too_long)
    assert refusal.value.code == "option-range"


@pytest.mark.django_db
def test_e3_time_is_charged_and_decided_without_more_vacation_than_that() -> None:
    world = started("--vacation=2", "--totaltime=30", "--forfeittime=30", "--increment=0")
    away(world, "bob", START + DAY, 6)
    world.now = START + 10 * DAY
    match = next(
        one
        for one in Match.objects.order_by("pk")
        if one.seat_rows[one.seat_to_move].player.userid == "bob"
    )
    seat = match.seat_to_move
    assert deciding.time_used(match, world.now, world.now)[seat] == 8 * DAY
    world.move(match.pk)
    reserve = Match.objects.get(pk=match.pk).seat_rows[seat].reserve
    assert reserve == (22 * DAY).total_seconds()


@pytest.mark.django_db
def test_a_board_outside_contests_asks_the_database_for_no_more(
    django_assert_num_queries: Any,
) -> None:
    world = started()
    match = Match.objects.earliest("pk")
    del match.terms["contest_vacation"], match.terms["contest"]
    match.save()
    with django_assert_num_queries(5):
        clocks.recalculate_deadlines([match], world.now)


spans = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 60)), max_size=6)


@given(spans, st.integers(0, 200), st.integers(0, 300))
def test_e3_no_more_counts_than_the_bound_and_all_of_it_up_to_there(
    drawn: list[tuple[int, int]], days: int, since: int
) -> None:
    begins = START + since * HOUR
    limit = VacationLimit(begins, days * HOUR)
    vacations, end = [], START
    for gap, length in drawn:
        vacations.append(Span(end + gap * HOUR, end + (gap + length) * HOUR))
        end = vacations[-1].end + HOUR
    far = end + 1000 * HOUR
    paused = (far - begins) - counted_time(begins, far, Pauses(tuple(vacations)))
    counted = counted_vacations(vacations, limit)
    assert sum((span.end - span.begin for span in counted), timedelta()) == min(paused, limit.total)
    rest = sum(
        (part.end - part.begin for _, part in uncounted_vacations(vacations, limit)), timedelta()
    )
    assert rest == paused - min(paused, limit.total)
