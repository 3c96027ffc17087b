"""What is fair in contests: no help by programs, no games from elsewhere, reliable opponents."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest_world import ContestWorld
from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.commands import (
    JoinContest,
    MakeContest,
    PlayMove,
    ShowContest,
    ShowLadder,
    ShowReview,
)
from sarsen.language.contests.answers import ContestMade
from sarsen.language.ratings import Table
from sarsen.services.contests import log as contest_log
from sarsen.services.matches.advice import check_practice
from sarsen.services.matches.practice import make_practice
from sarsen.services.ratings.reliability import reliability_of
from sarsen.services.reviews.view import view_line, view_review
from sarsen.storage.models import Contest, Match, MatchEvent, Result, Review

pytestmark = pytest.mark.django_db


def law_of(world: ContestWorld) -> str:
    table = world.say("ann", ShowContest(world.number, "law"))
    assert isinstance(table, Table)
    return " ".join(str(row[0]) for row in table.rows)


def title_of(world: ContestWorld) -> str:
    table = world.say("ann", ShowContest(world.number))
    assert isinstance(table, Table)
    return str(table.title)


def test_e30_no_review_of_a_board_that_runs_in_a_contest() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid")
    board = world.board("ann", "bob").pk
    # As if it had been reviewed before an operator let it go on.
    Review.objects.create(match_id=board, asked_at=world.now, due_at=world.now, state="done")
    for ask in (
        lambda: world.say("ann", ShowReview("visavis", board)),
        lambda: view_review(board, world.world.player("ann")),
        lambda: view_line(board, 1, 0, None),
    ):
        with pytest.raises(UserError) as refusal:
            ask()
        assert refusal.value.code == "contest.no-help"
        assert refusal.value.hint == f"contest {world.number} law"
    assert "no program may help you" in law_of(world)
    assert "help" not in title_of(world)


def test_e30_help_may_be_allowed_which_stands_beside_the_name() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", terms=("--help=allowed",))
    board = world.board("ann", "bob").pk
    with pytest.raises(UserError) as refusal:
        world.say("ann", ShowReview("visavis", board))
    assert refusal.value.code == "review-running"  # as everywhere
    assert "help by programs allowed" in title_of(world)
    assert "Programs may help you" in law_of(world)


def test_e30_no_program_plays_on_from_the_board_however_it_is_reached() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", game="druid", options="-size=5")
    match = world.board("ann", "bob")
    first, second = [row.player.userid for row in match.seat_rows]
    for at, text in enumerate(["c1", "b2", "b3", "c3"]):
        world.say((first, second)[at % 2], PlayMove("druid", match.pk, text))
    ann, eve = world.world.player("ann"), world.world.player("eve")
    for options, line in (
        ("-size=5", "c1 b2 b3 c3"),
        ("-size=5", "c1 d2 d3 c3"),  # mirrored
        ("-size=5", "c1 c3 b3 b2"),  # in another order
        ("-size=5", "c1 b2 b3 c3 d4"),  # a candidate
        ("-size=5 -exact", "c1 b2 b3 c3"),
        ("-size=5 -swap", "c1 swap b2 b3 c3"),
    ):
        practice = make_practice("druid", options, line.split())
        with pytest.raises(UserError) as refusal:
            check_practice(ann, practice, lambda: None)
        assert refusal.value.code == "contest.no-help"
        check_practice(eve, practice, lambda: None)
    check_practice(ann, make_practice("druid", "-size=5", ["c1", "b2", "b3", "d4"]), lambda: None)


def test_e30_after_the_game_it_is_reviewed_as_others_are() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid")
    match = world.board("ann", "bob")
    world.move(match.pk)
    world.win("ann", "bob")
    assert view_review(match.pk, None).has_ended


def test_e31_only_boards_that_the_contest_has_started_count() -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid")
    contest = Contest.objects.get()
    own = {board.board for board in world.view().boards}
    # Earlier, private, and one that claims to be of the contest without standing in its log.
    for terms in ((), ("--private",)):
        world.world.challenge("visavis", "ann", "bob", options="-size=5", terms=terms)
    for match in Match.objects.exclude(pk__in=own):
        match.terms["contest"] = contest.pk
        match.save()
    points = world.points()
    for match in Match.objects.exclude(pk__in=own):
        match.scores, match.ended_at = [1.0, 0.0], world.now
        match.save()
    Contest.objects.update(look_at=world.now)
    world.sweep()
    assert world.points() == points == {"ann": 0, "bob": 0, "cid": 0}
    assert {board.board for board in world.view().boards} == own
    assert set(contest_log.read(contest).results) == own


def finish(world: ContestWorld, player: str, games: int, lost_on_time: int) -> None:
    """Store games that are over, the oldest first; those lost on time are the last ones."""
    speaker, other = world.world.player(player), world.world.player("opponent")
    for number in range(games):
        at = world.now - timedelta(hours=games - number)
        is_late = number >= games - lost_on_time
        match = Match.objects.create(
            game="visavis",
            rules_version=1,
            started_at=at,
            moved_at=at,
            ended_at=at,
            event_count=1,
            scores=[0.0, 1.0],
        )
        kind = MatchEvent.Kind.FORFEIT if is_late else MatchEvent.Kind.RESIGN
        MatchEvent.objects.create(match=match, number=1, kind=kind, seat=0, ply=0, at=at)
        for seat, (one, against) in enumerate(((speaker, other), (other, speaker))):
            Result.objects.create(
                match=match,
                seat=seat,
                player=one,
                opponent=against,
                game="visavis",
                score=float(seat),
                at=at,
                is_private=False,
                is_rated=False,
            )


@pytest.mark.parametrize(
    ("games", "late", "expected"),
    [(0, 0, None), (9, 9, None), (10, 0, 100), (10, 1, 90), (60, 5, 90), (49, 5, 89), (60, 60, 0)],
)
def test_e33_per_cent_of_the_last_fifty_games(games: int, late: int, expected: int | None) -> None:
    world = ContestWorld()
    finish(world, "ann", games, late)
    ann = world.world.player("ann").pk
    assert reliability_of([ann]) == {ann: expected}


def test_e33_the_opponent_of_a_late_player_is_reliable() -> None:
    world = ContestWorld()
    finish(world, "ann", 12, 12)
    other = world.world.player("opponent").pk
    assert reliability_of([other]) == {other: 100}


def test_e33_one_query_for_many_players() -> None:
    world = ContestWorld()
    players = [world.world.player(f"player{number}").pk for number in range(20)]
    finish(world, "player3", 11, 2)
    with CaptureQueriesContext(connection) as queries:
        found = reliability_of(players)
    assert len(queries) == 1
    assert found[players[3]] == 81
    assert sum(count is None for count in found.values()) == 19


def test_e33_a_contest_may_ask_for_reliability() -> None:
    world = ContestWorld()
    world.world.player("cid")
    finish(world, "bob", 10, 2)
    made = world.say(
        "ann", MakeContest("visavis", "round-robin", "-swap", ("--reliability=90", "--most=4"))
    )
    assert isinstance(made, ContestMade)
    world.number = made.number
    with pytest.raises(UserError) as refusal:
        world.say("bob", JoinContest(made.number))
    assert refusal.value.code == "contest.reliability"
    assert refusal.value.hint == "contests open"
    assert "yours are 80 %" in str(refusal.value)
    world.say("cid", JoinContest(made.number))  # under ten games
    finish(world, "bob", 12, 0)
    world.say("bob", JoinContest(made.number))  # 20 of 22
    assert world.view().reliability == (None, None, 90)
    table = world.say("ann", ShowContest(world.number))
    assert isinstance(table, Table)
    assert table.columns[-1] == "on time"
    assert [row[-1] for row in table.rows] == ["-", "-", "90 %"]
    assert "90 % of your last 50 finished games" in law_of(world)


@pytest.mark.parametrize(("terms", "shown"), [(("--reliability=90",), ["on time"]), ((), [])])
def test_a_ladder_shows_reliability_where_it_asks_for_it(
    terms: tuple[str, ...], shown: list[str]
) -> None:
    world = ContestWorld()
    world.say("ann", MakeContest("druid", "ladder", terms=terms))
    table = world.say("ann", ShowLadder("druid"))
    assert isinstance(table, Table)
    assert table.columns == ("rank", "player", *shown, "running", "climb")
    assert [row[:-2] for row in table.rows] == [("1", "ann", *(["-"] if shown else []))]


def test_figures_are_parted_as_the_language_does() -> None:

    from sarsen.language.translating import translated, use_language
    from sarsen.services.contests.views.wording import decimal

    assert isinstance(decimal(1.5, 1), Phrase)
    assert str(decimal(1.5, 1)) == "1.5"
    with use_language("de"):
        assert translated(decimal(1.5, 1)) == "1,5"
        assert translated(decimal(0.75, 2)) == "0,75"
