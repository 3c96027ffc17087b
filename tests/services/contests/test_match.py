"""Matches: two players, several games, and an end as soon as one cannot be caught."""

from __future__ import annotations

import pytest

from contest_world import ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.challenges import MAX_REASON
from sarsen.language.commands import (
    JoinContest,
    LeaveContest,
    MakeContest,
    Resign,
    ShowContest,
)
from sarsen.language.contests.answers import ContestMade
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.ratings import Table
from sarsen.language.translating import sentence
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.acts.entering import leave_all
from sarsen.services.contests.views.facts import view_log
from sarsen.services.contests.views.happenings import SHOWN, happenings
from sarsen.services.contests.views.listing import contests_to_join
from sarsen.services.request import Actor, Request
from sarsen.storage.models import Contest, ContestEvent, Match, MatchEvent, OutgoingMail
from sarsen.storage.transactions import in_transaction

pytestmark = pytest.mark.django_db


def match_of(games: int) -> ContestWorld:
    world = ContestWorld()
    words = (f"--games={games}",)
    made = world.say("ann", MakeContest("druid", "match", "-size=4", words))
    assert isinstance(made, ContestMade)
    world.number = made.number
    world.say("bob", JoinContest(made.number))
    world.sweep()
    return world


def lose(world: ContestWorld, loser: str) -> None:
    """Let a player lose the oldest board that runs."""
    board = Match.objects.filter(ended_at=None).earliest("pk")
    world.say(loser, Resign("druid", board.pk, confirmed=True))
    world.sweep()


def test_two_boards_run_at_a_time_with_the_seats_exchanged() -> None:
    world = match_of(4)
    first = [[row.player.userid for row in match.seat_rows] for match in Match.objects.all()]
    assert first == [["ann", "bob"], ["bob", "ann"]]
    lose(world, "bob")
    assert Match.objects.count() == 3
    assert Match.objects.filter(ended_at=None).count() == 2


def test_it_ends_when_no_result_can_change_the_winner() -> None:
    world = match_of(4)
    for _ in range(2):
        lose(world, "bob")
    assert world.view().state == "running"  # two games could still make it level
    lose(world, "bob")
    assert world.view().state == "ended"
    assert world.points() == {"ann": 3, "bob": 0}
    assert Match.objects.count() == 4
    assert MatchEvent.objects.filter(kind="close").count() == 1
    assert [str(one) for one in verify(VerifyReport(), lambda: None)] == []


def test_a_level_match_is_drawn() -> None:
    world = match_of(2)
    lose(world, "ann")
    lose(world, "bob")
    assert world.view().state == "ended"
    assert [(row.place, row.shared_to) for row in world.view().table] == [(1, 2), (1, 2)]


def test_e9_who_leaves_a_match_has_lost_it() -> None:
    world = match_of(4)
    lose(world, "bob")
    world.say("bob", LeaveContest(world.number, confirmed=True))
    world.sweep()
    assert world.view().state == "ended"
    assert world.points() == {"ann": 4, "bob": 0}


def made_with(world: ContestWorld, *terms: str, name: str = "") -> ContestMade:
    made = world.say("ann", MakeContest("druid", "match", "-size=4", terms, name))
    assert isinstance(made, ContestMade)
    world.number = made.number
    return made


def test_a_match_with_somebody_is_for_them_alone() -> None:
    world = ContestWorld()
    world.world.player("bob")
    world.world.player("cid")
    made = made_with(world, "--with=Bob", "--games=4")
    assert made.invited == "bob"
    assert world.letters("contest-invited") == ["bob"]
    assert world.view().law["with"] == "bob"
    with pytest.raises(UserError) as refusal:
        world.say("cid", JoinContest(made.number))
    assert refusal.value.code == "contest.invited"
    assert refusal.value.hint == "contests open"
    world.say("bob", JoinContest(made.number))
    world.sweep()
    assert world.view().state == "running"


def test_an_invitation_is_declined_by_one_line_and_the_host_is_told() -> None:
    world = ContestWorld()
    world.world.player("bob")
    world.world.player("cid")
    made = made_with(world, "--with=bob")
    line = read_line(f"contest decline {made.number}", Context(speaker="bob")).command
    assert line == LeaveContest(made.number, declines=True)
    for userid, hint in (("cid", "contest"), ("ann", "contest leave")):  # ann is in it
        with pytest.raises(UserError) as refusal:
            world.say(userid, line)
        assert refusal.value.code == "contest.not-invited"
        assert refusal.value.hint == f"{hint} {made.number}"
    declined = world.say("bob", line)
    assert sentence(declined) == f"You decline contest {made.number}, Druid match. ann is told."
    assert world.view().state == "closed"
    assert world.letters("contest-closed") == ["ann"]
    with pytest.raises(UserError) as refusal:
        world.say("bob", JoinContest(made.number))
    assert refusal.value.code == "contest.over"
    log = world.say("ann", ShowContest(made.number, "log"))
    assert isinstance(log, Table)
    assert [log.rows[-1][2], log.rows[-1][3]] == ["closed", "bob"]
    assert [str(one) for one in verify(VerifyReport(), lambda: None)] == []


def test_a_reason_for_declining_reaches_the_host() -> None:
    world = ContestWorld()
    world.world.player("bob")
    made = made_with(world, "--with=bob")
    line = read_line(f"contest decline {made.number} Sorry, no time", Context(speaker="bob"))
    world.say("bob", line.command)
    letter = OutgoingMail.objects.get(kind="contest-closed")
    assert letter.facts["reason"] == "Sorry, no time"
    held = contest_log.read(Contest.objects.get())
    # The host alone reads it: log and page of a contest are public.
    assert happenings(held, world.now, 1, SHOWN)[0].words == "bob has declined."
    log = view_log(made.number)
    for shown in (world.say("eve", ShowContest(made.number)), log):
        assert "no time" not in str(shown)
    ContestEvent.objects.filter(kind="closed").update(  # as the first versions of 0.5 kept it
        facts={"player": held.contest.law["with"], "reason": "Sorry, no time"}
    )
    for shown in (world.say("eve", ShowContest(made.number)), view_log(made.number)):
        assert "no time" not in str(shown)
    assert [str(one) for one in verify(VerifyReport(), lambda: None)] == []


def test_a_reason_for_declining_is_as_long_as_others() -> None:
    world = ContestWorld()
    world.world.player("bob")
    made = made_with(world, "--with=bob")
    with pytest.raises(UserError) as refusal:
        world.say("bob", LeaveContest(made.number, reason="no " * MAX_REASON))
    assert refusal.value.code == "reason-too-long"
    assert str(refusal.value.hint).startswith(f"contest decline {made.number} no no")
    assert world.view().state == "open"


@pytest.mark.parametrize("userid", ["ann", "bob"])
def test_words_that_nobody_would_read_are_refused(userid: str) -> None:
    world = match_of(2)
    with pytest.raises(UserError) as refusal:
        world.say(userid, LeaveContest(world.number, reason="no time"))
    assert (refusal.value.code, refusal.value.hint) == (
        "contest.not-invited",
        f"contest leave {world.number}",
    )
    assert world.view().state == "running"


def test_a_player_who_leaves_the_server_declines_invitations() -> None:
    world = ContestWorld()
    bob = world.world.player("bob")
    made_with(world, "--with=bob")
    request = Request(Actor(bob), world.now, AFTER_EVENTS)
    in_transaction(lambda: leave_all(bob, request))
    assert world.view().state == "closed"
    assert world.letters("contest-closed") == ["ann"]


def test_a_match_for_somebody_is_no_contest_that_others_can_join() -> None:
    world = ContestWorld()
    bob, cid = world.world.player("bob"), world.world.player("cid")
    match = made_with(world, "--with=bob").number
    free = made_with(world).number
    assert [line.number for line in contests_to_join(cid, 4)] == [free]
    assert [line.number for line in contests_to_join(None, 4)] == [free]
    assert [line.number for line in contests_to_join(bob, 4)] == [match, free]


@pytest.mark.parametrize(
    ("with_whom", "code"),
    [
        ("nobody", "unknown-player"),
        ("ann", "contest.invited"),
        ("bob", "challenge-refused"),
        ("cid", "enough-games"),
    ],
)
def test_nobody_is_invited_who_could_not_be_challenged(with_whom: str, code: str) -> None:
    world = ContestWorld()
    bob, cid = world.world.player("bob"), world.world.player("cid")
    bob.refuses, cid.most_games = ["ann"], 0
    bob.save()
    cid.save()
    with pytest.raises(UserError) as refusal:
        made_with(world, f"--with={with_whom}")
    assert refusal.value.code == code
    assert not Contest.objects.exists()
    assert world.letters("contest-invited") == []


def test_only_a_match_is_for_one_player() -> None:
    world = ContestWorld()
    world.world.player("bob")
    with pytest.raises(UserError) as refusal:
        world.say("ann", MakeContest("druid", "round-robin", "-size=4", ("--with=bob",)))
    assert refusal.value.code == "unknown-option"


@pytest.mark.parametrize(
    ("line", "terms", "name"),
    [
        ("contest new druid match of 4 games", ("--games=4",), ""),
        ("contest new druid match 4 games", ("--games=4",), ""),
        ("contest new druid match of 1 game", ("--games=1",), ""),
        ("contest new druid match of 4 games Old Friends", ("--games=4",), "Old Friends"),
        ("contest new druid match --days=60 of 6 games", ("--days=60", "--games=6"), ""),
        ("contest new druid match Four games", (), "Four games"),
        ("contest new druid round-robin of 4 games", (), "of 4 games"),
    ],
)
def test_games_of_a_match_may_be_said_in_words(
    line: str, terms: tuple[str, ...], name: str
) -> None:
    parsed = read_line(line, Context(games=("druid",), speaker="ann")).command
    assert isinstance(parsed, MakeContest)
    assert (parsed.terms, parsed.name) == (terms, name)
