"""Leagues: seasons that follow each other, and what becomes of their players."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from clock import NOW
from contest_world import DAY
from league_world import (
    ELEVEN,
    FIVE,
    entered,
    league,
    next_season,
    play_all,
    started,
    tiers,
    to_next,
)
from sarsen.core.errors import UserError
from sarsen.language.commands import (
    CloseContest,
    JoinContest,
    LeaveContest,
    ListContests,
    MakeContest,
    Resign,
    ShowContest,
    StartContest,
)
from sarsen.language.ratings import Table
from sarsen.language.translating import sentence, translated, use_language
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import running
from sarsen.services.contests.state import Kind
from sarsen.services.contests.views.facts import view_log
from sarsen.services.contests.views.wording import title_of
from sarsen.storage.models import Contest, ContestEntry, Match, Rating

pytestmark = pytest.mark.django_db


def differences() -> list[str]:
    found = verify(VerifyReport(), lambda: None)
    return [f"{one.about}, {one.what}: {one.stored}; {one.recomputed}" for one in found]


def test_e23_a_league_of_five_has_two_seasons() -> None:
    world = started(*FIVE)
    first = Contest.objects.get(pk=world.number)
    second = Contest.objects.get(pk=next_season(world))
    assert first.starts_at is not None
    assert first.ends_at == first.starts_at + 84 * DAY
    assert (second.state, second.season, second.first) == ("open", 2, first)
    assert second.starts_at == first.ends_at + 7 * DAY
    assert second.name == "Druid league 2"
    assert entered(second.pk) == set(FIVE)
    play_all(world, FIVE)
    assert world.view().state == "ended"
    assert differences() == []
    world.now = second.starts_at - timedelta(hours=1)
    world.wait(2 * timedelta(hours=1), timedelta(hours=1))
    world.number = second.pk
    assert world.view().state == "running"
    assert Match.objects.filter(contest_board__contest=second.pk).count() == 10
    assert Contest.objects.get(season=3).starts_at == second.starts_at + 91 * DAY
    assert differences() == []


def test_e21_and_e22_one_goes_up_and_one_down() -> None:
    world = started(*ELEVEN)
    upper, lower = tiers(world)
    assert (len(upper), len(lower)) == (5, 6)
    # Neither wins every game: that would be two tiers.
    play_all(world, (*upper, *lower))
    world.wait(DAY)
    assert world.view().state == "ended"
    to_next(world)
    assert tiers(world) == [[*upper[:4], lower[0]], [upper[4], *lower[1:]]]
    assert differences() == []


def test_e10_who_is_out_of_a_season_is_out_of_the_next_until_they_join_again() -> None:
    world = started(*FIVE)
    world.say("dora", LeaveContest(world.number, confirmed=True))
    world.sweep()
    following = next_season(world)
    assert entered(following) == set(FIVE) - {"dora"}
    assert differences() == []
    world.say("dora", JoinContest(following))
    assert entered(following) == set(FIVE)


def test_e10_after_thirty_days_of_silence_no_further_season() -> None:
    world = started(*FIVE, terms=("--forfeittime=80", "--totaltime=80"))
    for _ in range(32):
        world.wait(DAY)
        for name in FIVE[:4]:
            world.say(name, ListContests())
    assert "withdrawn" in world.kinds()
    assert entered(next_season(world)) == set(FIVE) - {"eva"}


def test_e23_once_means_one_season() -> None:
    world = league(*FIVE[:4])
    joined = world.say("eva", JoinContest(world.number, once=True))
    assert sentence(joined).endswith("For this season only.")
    world.wait(15 * DAY)
    assert entered(world.number) == set(FIVE)
    assert entered(next_season(world)) == set(FIVE) - {"eva"}
    assert differences() == []


def test_e23_to_leave_only_the_next_season_changes_nothing_in_this_one() -> None:
    world = started(*FIVE)
    following = next_season(world)
    world.say("bob", LeaveContest(following))
    assert entered(following) == set(FIVE) - {"bob"}
    assert entered(world.number) == set(FIVE)
    assert not ContestEntry.objects.filter(is_out=True).exists()


def test_e23_a_season_never_starts_before_the_one_before_has_ended() -> None:
    world = started(*FIVE)
    first, second = world.number, next_season(world)
    starts_at = Contest.objects.get(pk=second).starts_at
    assert starts_at is not None
    # As if the first season could not be carried on: its game is broken.
    world.skip_to(starts_at + DAY)
    Contest.objects.filter(pk=first).update(look_at=world.now + DAY)
    world.sweep()
    assert Contest.objects.get(pk=second).state == "open"
    with pytest.raises(UserError) as refusal:
        world.say("flo", JoinContest(second))
    assert refusal.value.code == "contest.full"
    world.skip_to(world.now + DAY)
    world.sweep()
    assert list(Contest.objects.order_by("pk").values_list("state", flat=True)) == [
        "ended",
        "running",
        "open",
    ]
    event = Contest.objects.get(pk=second).log.get(kind="started")
    assert (event.due, event.at) == (starts_at, world.now)
    assert differences() == []


def test_e23_a_sweep_two_days_late_writes_the_same_seasons() -> None:
    logs = []
    for late in (timedelta(), 2 * DAY):
        world = started(*FIVE)
        first, second = world.number, next_season(world)
        starts_at = Contest.objects.get(pk=second).starts_at
        assert starts_at is not None
        world.skip_to(starts_at + late)
        world.sweep()
        events = Contest.objects.get(pk=second).log.exclude(kind__in=("made", "board"))
        logs.append([(event.kind, event.due, event.facts) for event in events])
        Contest.objects.filter(pk__gte=first).update(name=f"of {late}")
    assert logs[0] == logs[1]


def test_e24_with_three_players_it_stays_open_a_week_and_tells_once() -> None:
    world = league("ann", "bob", "cid")
    world.wait(16 * DAY)
    contest = Contest.objects.get()
    assert contest.state == "open"
    assert world.letters("contest-postponed") == ["ann", "bob", "cid"]
    world.wait(7 * DAY)
    assert world.letters("contest-postponed") == ["ann", "bob", "cid"]
    world.say("dora", JoinContest(world.number))
    world.wait(7 * DAY)
    assert world.view().state == "running"
    assert differences() == []


def test_e24_a_later_season_with_too_few_players_waits_too() -> None:
    world = started(*FIVE)
    following = next_season(world)
    for name in ("ann", "bob"):
        world.say(name, LeaveContest(following))
    to_next(world)
    assert world.view().state == "open"
    assert world.letters("contest-postponed") == ["cid", "dora", "eva"]


def test_e29_programs_make_up_the_number_of_a_season_on_its_day_and_do_not_stay(
    settings: Any,
) -> None:
    settings.SARSEN_BOTS = True
    make_accounts(NOW)
    world = league("ann", terms=("--bots=fill",))
    world.wait(13 * DAY)
    assert world.view().state == "open"
    world.wait(2 * DAY)
    assert world.view().state == "running"
    assert entered(world.number) == {"ann", "bot2", "bot4", "bot6"}
    assert entered(next_season(world)) == {"ann"}
    assert differences() == []


def test_e35_a_host_may_start_the_first_season_early_and_close_the_next() -> None:
    world = league(*FIVE)
    ends_at = world.view().ends_at
    world.say("ann", StartContest(world.number))
    world.sweep()
    assert world.view().state == "running"
    assert world.view().ends_at == ends_at
    following = next_season(world)
    with pytest.raises(UserError) as refusal:
        world.say("ann", StartContest(following))
    assert refusal.value.code == "contest.running"
    world.say("ann", CloseContest(following))
    play_all(world, FIVE)
    assert Contest.objects.get(pk=following).state == "closed"
    assert differences() == []


def test_e37_a_league_counts_once_among_the_contests_of_a_host() -> None:
    world = started(*FIVE)
    for number in range(3):
        world.say("ann", MakeContest("druid", "league", "-size=4", (), f"League {number}"))
    with pytest.raises(UserError) as refusal:
        world.say("ann", MakeContest("druid", "league", "-size=4", (), "One more"))
    assert refusal.value.code == "contest.limit"


def test_the_name_of_a_season_is_free_and_short_enough() -> None:
    world = league(*FIVE, name="Four Corners with a name of forty letter")
    assert len(world.view().name) <= 40
    world.wait(15 * DAY)
    assert Contest.objects.get(season=2).name == "Four Corners with a name of forty lett 2"


def test_the_servers_own_name_has_one_number_and_is_translated() -> None:
    world = league(*FIVE)
    Contest.objects.filter(pk=world.number).update(name="Druid league 2")
    world.wait(15 * DAY)
    following = Contest.objects.get(season=2)
    assert following.name == "Druid league 3"
    with use_language("de"):
        assert translated(title_of(following)) == "Druid-Liga 3"


def test_verify_finds_a_tier_that_does_not_follow_from_the_season_before() -> None:
    world = started(*FIVE)
    event = Contest.objects.get(pk=world.number).log.get(kind="started")
    event.facts["order"][:2] = event.facts["order"][1::-1]
    event.save()
    assert any("order" in one for one in differences())


def test_who_is_too_late_for_a_season_is_shown_the_next_one() -> None:
    world = started(*FIVE)
    with pytest.raises(UserError) as refusal:
        world.say("flo", JoinContest(world.number))
    assert refusal.value.code == "contest.full"
    assert str(refusal.value.hint) == f"contest join {next_season(world)}"


def test_e20_tables_in_text_show_all_tiers_and_letters_the_own_one() -> None:
    world = started(*ELEVEN)
    upper, lower = tiers(world)
    shown = world.say("flo", ShowContest(world.number))
    assert isinstance(shown, Table)
    assert shown.columns == ("tier", "rank", "player", "points", "SB", "can end")
    assert [(row[0], row[2]) for row in shown.rows] == [
        *(("1", name) for name in upper),
        *(("2", name) for name in lower),
    ]
    facts = world.view()
    assert [row.tier for row in facts.table] == [1] * 5 + [2] * 6
    assert [len(row.games) for row in facts.table] == [5] * 5 + [6] * 6


def test_the_log_names_players_and_where_they_go() -> None:
    world = started(*FIVE)
    play_all(world, FIVE)
    events = {event.event: event.facts for event in view_log(world.number).events}
    order = tiers(world)[0]
    assert events["started"]["order"] == order
    assert events["started"]["tiers"] == [5]
    first = {"player": "ann", "tier": 1, "place": 1, "wish": 1}
    assert events["ended"]["finishes"][0] == first


def test_e20_with_two_games_each_only_small_tiers_play_twice() -> None:
    for players, boards in ((FIVE, 20), (ELEVEN[:7], 21)):
        world = started(*players, terms=("--games=2",))
        assert Match.objects.filter(contest_board__contest=world.number).count() == boards


def test_e22_new_ones_are_ordered_by_what_their_rating_is_at_least() -> None:
    world = league(*ELEVEN)
    for number, name in enumerate(ELEVEN):
        # The highest ratings are the least certain.
        Rating.objects.create(
            player=world.world.player(name),
            game="druid",
            rating=1500 + 20 * number,
            deviation=50 + 20 * number,
            volatility=0.06,
            rated_at=world.now,
        )
    world.wait(15 * DAY)
    assert tiers(world) == [list(ELEVEN[:5]), list(ELEVEN[5:])]


def test_ratings_of_a_late_sweep_are_those_of_the_day_of_start() -> None:
    world = league(*FIVE)
    starts_at = Contest.objects.get().starts_at
    assert starts_at is not None
    board = world.world.board("druid", "a1", options="-size=4", players=("ann", "bob"))
    for _ in range(5):
        world.move(board)
    world.now = starts_at + DAY
    match = Match.objects.get(pk=board)
    loser = match.seat_rows[0].player.userid
    world.say(loser, Resign("druid", board, confirmed=True))
    assert Rating.objects.filter(game="druid").count() == 2
    world.sweep()
    facts = Contest.objects.get(pk=world.number).log.get(kind="started").facts
    assert [rating for rating, _ in facts["ratings"]] == [1500.0] * 5


def test_e13_a_season_starts_a_week_after_an_end_date_that_was_moved() -> None:
    world = started(*FIVE)
    second = Contest.objects.get(pk=next_season(world))
    with transaction.atomic():
        held = contest_log.hold(world.number)
        assert held.state.starts_at is not None
        assert held.state.ends_at is not None
        moved = held.state.ends_at + 3 * DAY
        dates = {"starts_at": held.state.starts_at.isoformat(), "ends_at": moved.isoformat()}
        held.add(Kind.OPENED, world.now, dates | {"days": 3})  # as after a downtime
        held.save(world.now)
    world.say("flo", JoinContest(second.pk))
    starts_at, second.starts_at = second.starts_at, Contest.objects.get(pk=second.pk).starts_at
    assert starts_at is not None
    assert second.starts_at == starts_at + 3 * DAY
    to_next(world)
    assert world.view().state == "running"
    assert differences() == []


def test_many_boards_are_decided_in_several_transactions(monkeypatch: Any) -> None:
    world = started(*FIVE)
    ends_at = world.view().ends_at
    assert ends_at is not None
    monkeypatch.setattr(running, "MAX_BOARDS", 3)
    world.skip_to(ends_at)
    running.sweep(world.now, AFTER_EVENTS)
    assert world.kinds().count("decided") == 3
    world.sweep()
    assert world.kinds().count("decided") == 10
    assert world.view().state == "ended"
    assert differences() == []
