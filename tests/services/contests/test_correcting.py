"""Corrections and withdrawals by operators (E36): fair, logged, final for a board that runs."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry

from contest_world import ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.commands import (
    ChangeNotices,
    CloseContest,
    CorrectContest,
    LeaveContest,
    MakeContest,
    ShowContest,
    WithdrawFromContest,
)
from sarsen.language.contests.answers import ContestMade
from sarsen.language.ratings import Table
from sarsen.language.translating import sentence
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.storage.models import Contest, Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def four() -> ContestWorld:
    """A contest of four, in which the operator cid plays; ops is another one."""
    world = ContestWorld()
    world.world.player("ops")
    world.make("ann", "bob", "cid", "dora", game="druid", options="-size=4")
    Player.objects.filter(key__in=("ops", "cid")).update(is_staff=True)
    return world


def test_operators_who_play_correct_no_boards_of_their_own(four: ContestWorld) -> None:
    own = four.board("cid", "ann").pk
    with pytest.raises(UserError) as refusal:
        four.say("cid", CorrectContest(four.number, own, "1-0", "wrong board"))
    assert refusal.value.code == "contest.own-board"
    with pytest.raises(UserError) as refusal:
        four.say("cid", WithdrawFromContest(four.number, "ann", "gone"))
    assert refusal.value.code == "contest.host-plays"


@pytest.mark.parametrize(("result", "scores"), [("1-0", [1.0, 0.0]), ("void", None)])
def test_a_board_that_runs_ends_by_its_correction(
    four: ContestWorld, result: str, scores: list[float] | None
) -> None:
    match = four.board("ann", "dora")
    four.say("ops", CorrectContest(four.number, match.pk, result, "agreed"))
    match.refresh_from_db()
    assert match.ended_at == four.now
    assert match.scores == scores
    assert match.terms["unrated"]
    with pytest.raises(UserError):
        four.move(match.pk)
    assert list(verify(VerifyReport(), lambda: None)) == []


def test_what_operators_do_by_a_line_is_in_their_log(four: ContestWorld) -> None:
    board = four.board("ann", "bob").pk
    four.say("ops", CorrectContest(four.number, board, "=", "agreed"))
    four.say("ops", WithdrawFromContest(four.number, "dora", "two accounts"))
    entries = LogEntry.objects.order_by("pk").values_list("user__userid", "change_message")
    assert [userid for userid, _ in entries] == ["ops", "ops"]
    assert "agreed" in entries[0][1]
    assert "two accounts" in entries[1][1]


def test_e12_a_game_between_two_who_are_gone_is_shown_as_nobodys(four: ContestWorld) -> None:
    for winner, loser in (("ann", "cid"), ("ann", "dora"), ("bob", "cid"), ("bob", "dora")):
        four.win(winner, loser)
    for name in ("ann", "bob"):
        four.say(name, LeaveContest(four.number, confirmed=True))
    shown = four.say("cid", ShowContest(four.number, "boards"))
    assert isinstance(shown, Table)
    match = four.board("ann", "bob").pk
    row = next(row for row in shown.rows if row[0] == str(match))
    assert row[3] == "0-0"


@pytest.mark.parametrize("name", ["http://evil.example/win", "win at www.evil.example"])
def test_a_name_carries_no_link(four: ContestWorld, name: str) -> None:
    with pytest.raises(UserError) as refusal:
        four.say("ann", MakeContest("druid", "round-robin", "", (), name))
    assert refusal.value.code == "contest.name"
    assert "evil" not in str(refusal.value.hint)


def test_quotes_within_a_name_stay(four: ContestWorld) -> None:
    for typed, name in (('Herbst & "Pokal"', 'Herbst & "Pokal"'), ('"Autumn"', "Autumn")):
        made = four.say("ann", MakeContest("druid", "round-robin", "", (), typed))
        assert isinstance(made, ContestMade)
        assert made.name == name


@pytest.mark.parametrize(
    ("silent", "told"),
    [((), "Both players are told."), (("ann",), "1 player is told."), (("ann", "dora"), "")],
)
def test_the_answer_says_who_is_told(
    four: ContestWorld, silent: tuple[str, ...], told: str
) -> None:
    for name in silent:
        four.say(name, ChangeNotices("contest", "none"))
    board = four.board("ann", "dora").pk
    said = sentence(four.say("ops", CorrectContest(four.number, board, "1-0", "wrong board")))
    assert said.partition("wrong board.")[2].strip() == told
    assert sorted(four.letters("contest-corrected")) == sorted({"ann", "dora"} - set(silent))


def test_the_answer_counts_no_players_who_want_no_letters() -> None:
    world = ContestWorld()
    number = world.make("ann", "bob", "cid", most=4)
    world.say("bob", ChangeNotices("contest", "none"))
    assert sentence(world.say("ann", CloseContest(number))).endswith("1 player is told.")
    world.say("ann", MakeContest("druid", "match", terms=("--with=cid",)))
    world.say("ann", ChangeNotices("contest", "none"))
    declined = world.say("cid", LeaveContest(Contest.objects.latest("pk").pk))
    assert "is told" not in sentence(declined)
