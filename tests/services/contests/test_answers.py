"""What players, and hosts, are answered where they cannot do, or have just done, something."""

from __future__ import annotations

import re
from typing import Any

import pytest

from contest_world import ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.accounts import ConfirmAccount
from sarsen.language.commands import (
    CloseContest,
    Command,
    CorrectContest,
    JoinContest,
    LeaveContest,
    LeaveLadder,
    ListContests,
    MakeContest,
    ShowContest,
    WithdrawFromContest,
)
from sarsen.language.contests.answers import ContestKept, ContestWithdrawn
from sarsen.language.contests.ladders import LadderMade
from sarsen.language.contests.law import law_sentences
from sarsen.language.ratings import Table, table_text
from sarsen.language.replies import Reply
from sarsen.language.translating import sentence, translated, use_language
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.views.pages import view_page
from sarsen.services.contests.views.wording import heading
from sarsen.storage.models import Contest

pytestmark = pytest.mark.django_db


@pytest.fixture
def running() -> ContestWorld:
    """A contest of three that runs."""
    world = ContestWorld()
    world.make("ann", "bob", "cid")
    return world


def refused(world: ContestWorld, userid: str, command: Command) -> UserError:
    with pytest.raises(UserError) as error:
        world.say(userid, command)
    return error.value


def test_no_to_leaving_says_that_one_stays(running: ContestWorld) -> None:
    number = running.number

    def stays(answer: Reply) -> None:
        assert isinstance(answer, ContestKept)
        assert sentence(answer).startswith(f"You stay in contest {number}, ")
        with use_language("de"):
            assert sentence(answer).startswith(f"Du bleibst in Wettbewerb {number}, ")

    running.say("bob", LeaveContest(number))
    stays(running.say("bob", LeaveContest(number, stays=True)))
    assert refused(running, "bob", ConfirmAccount("contest")).code == "nothing-to-confirm"
    running.say("bob", LeaveContest(number))
    stays(running.say("bob", ConfirmAccount("contest", agrees=False)))


def test_nobody_comes_back_into_a_contest_that_runs(running: ContestWorld) -> None:
    left = running.say("bob", LeaveContest(running.number, confirmed=True))
    assert isinstance(left, ContestWithdrawn)
    refusal = refused(running, "bob", JoinContest(running.number))
    assert refusal.code == "contest.out"
    assert refusal.hint == "contests open"


def test_a_full_contest_offers_its_waiting_list(running: ContestWorld) -> None:
    refusal = refused(running, "dora", JoinContest(running.number))
    assert refusal.hint == f"contest join {running.number} wait"


def test_once_is_a_word_of_leagues() -> None:
    world = ContestWorld()
    number = world.make("ann", most=3)
    refusal = refused(world, "bob", JoinContest(number, once=True))
    assert (refusal.code, refusal.hint) == ("unknown-part", f"contest join {number}")
    joined = world.say("bob", JoinContest(number, waits=True))
    assert sentence(joined).endswith("There was room: you need not wait.")


def test_withdrawing_from_an_open_contest_does_not_offer_to_close_it() -> None:
    world = ContestWorld()
    number = world.make("ann", "bob", most=3)
    refusal = refused(world, "ann", WithdrawFromContest(number, "bob", "gone"))
    assert (refusal.code, refusal.hint) == ("contest.not-started", f"contest {number}")


def test_a_host_who_is_no_operator_is_not_asked_to_correct(running: ContestWorld) -> None:
    refusal = refused(running, "bob", CorrectContest(running.number, 1, "1-0", "wrong"))
    assert (refusal.code, refusal.hint) == ("operators-only", "help contests")


def test_a_ladder_is_left_by_those_who_are_on_it() -> None:
    world = ContestWorld()
    made = world.say("ann", MakeContest("druid", "ladder"))
    assert isinstance(made, LadderMade)
    refusal = refused(world, "bob", LeaveLadder("druid"))
    assert refusal.text == "You are not on the Druid ladder."
    assert refusal.hint == "druid ladder join"
    second = refused(world, "bob", MakeContest("druid", "ladder", terms=("--days=5",)))
    assert second.code == "contest.ladder"


@pytest.mark.parametrize(
    ("named", "terms", "said", "hint"),
    [
        ("league", ("--with=bob",), "--with is an option of matches.", "contest new druid league"),
        (
            "match",
            ("--with=bob", "--with=cid"),
            "The option --with was given twice.",
            "contest new druid match --with=bob",
        ),
    ],
)
def test_options_of_matches(named: str, terms: tuple[str, ...], said: str, hint: str) -> None:
    refusal = refused(ContestWorld(), "ann", MakeContest("druid", named, terms=terms))
    assert (refusal.text, refusal.hint) == (said, hint)


CLOCKS = {"totaltime": 20 / 3, "increment": 0.0, "forfeittime": 14.0, "nagtime": 5.0}
LADDER = {"endless": 1, "games": 1, "most": 1000}
LAW = {"most": 8, "boards": 9, "games": 1, "proofs": True, "vacation": 22.5}


def test_the_law_says_the_times_that_the_boards_have() -> None:
    said = " ".join(law_sentences(LAW, CLOCKS))
    assert "Each player has 6 days 16 hours for a game. Without any left" in said
    assert "waiting list" not in said  # E7: the clock is over by then
    assert "hours more" not in said
    longer = {**CLOCKS, "totaltime": 30.0, "increment": 0.1, "nagtime": 1.0}
    said = " ".join(law_sentences(LAW, longer))
    assert "30 days for a game and 2 hours 24 minutes more for each move." in said
    assert "also lost after 14 days without a move" in said
    assert "reminded after 1 day and the day after; after 2 days" in said
    with use_language("de"):
        assert "Bis zu 22,5 Tage" in " ".join(map(translated, law_sentences(LAW, longer)))


@pytest.mark.parametrize(
    ("clause", "law", "said"),
    [
        ("E8", LAW, "lose on time in two separate absences, or after 30 days without a sign of"),
        ("E8", LADDER, "off the ladder if you lose on time in two separate absences, or after 30"),
        ("E6", LAW, "signs of life; a planned move that is played is none."),
        ("E9", LAW, "fewer than half of the games finished, all of them are annulled"),
        ("E9", {**LAW, "most": 2}, "If a player is out, the games that are left count as lost."),
        ("E11", LAW, "those where a program proves that the other side wins; in the contest all"),
        ("E11", {**LAW, "proofs": False}, "only the first is rated, and those of 20 moves or more"),
        ("E12", LAW, "between two players who are out is 0 for both"),
    ],
)
def test_the_law_says_what_becomes_of_players_who_are_away(
    clause: str, law: dict[str, Any], said: str
) -> None:
    assert said in " ".join(law_sentences(law, CLOCKS))
    unrated = " ".join(law_sentences(law, {**CLOCKS, "unrated": True}))
    assert (said in unrated) == (clause != "E11")


def test_the_law_of_a_match_is_that_of_two() -> None:
    said = " ".join(law_sentences({**LAW, "most": 2}, {**CLOCKS, "unrated": True}))
    assert "cannot be caught up with" in said
    for clause in ("settled", "Ties are parted", "rounds", "is rated", "not rated."):
        assert clause not in said
    assert "counts and is rated." in " ".join(law_sentences(LAW, CLOCKS))


def test_one_day_of_vacation_is_singular() -> None:
    said = " ".join(law_sentences({**LAW, "vacation": 1.0}, CLOCKS))
    assert "Up to 1 day of your vacations stops the clocks;" in said


def test_closed_contests_are_listed_among_those_that_are_over() -> None:
    world = ContestWorld()
    number = world.make("ann", "bob", most=3)
    world.say("ann", CloseContest(number))
    table = world.say("bob", ListContests(which="ended"))
    assert isinstance(table, Table)
    assert [(row[0], row[-1]) for row in table.rows] == [(str(number), "closed")]


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_law_speaks_in_numbers_of_clauses(language: str) -> None:
    laws = [
        LAW | {"bots": "fill", "reliability": 90, "value": 1.0, "help": "none"},
        LAW | {"most": 2, "help": "allowed"},
        LAW | {"pause": 7, "least": 4, "games": 2, "bots": "fill", "vacation": 0},
        LAW | {"endless": True, "games": 2, "bots": "fill", "value": 0.0},
    ]
    with use_language(language):
        for law in laws:
            for terms in (CLOCKS, {**CLOCKS, "unrated": True}, {}):
                full = {"least": 3, **law}
                said = [translated(one) for one in law_sentences(full, terms)]
                assert not [one for one in said if re.search(r"\bE\d+\b", one)]


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ((), "It starts when 8 have joined, or on Fri 4 Dec with 3, and ends on"),
        (("--most=4",), "It starts when 4 have joined, or on Fri 4 Dec with 3, and ends on"),
        (("--most=3",), "It starts when 3 have joined, which must be by Fri 4 Dec, and ends on"),
        (
            ("--most=5", "--least=5"),
            "It starts when 5 have joined, which must be by Fri 4 Dec, and ends on",
        ),
    ],
)
def test_the_number_that_a_contest_waits_for_is_said_once(
    terms: tuple[str, ...], said: str
) -> None:
    made = ContestWorld().say("ann", MakeContest("druid", "round-robin", "", terms))
    assert said in sentence(made)


@pytest.mark.parametrize("finished", [0, 1])
def test_nobody_who_is_out_can_end_at_a_place(finished: int) -> None:
    world = ContestWorld()
    world.make("ann", "bob", "cid", game="druid", options="-size=5")
    if finished:
        world.win("cid", "ann")
    world.say("cid", LeaveContest(world.number, confirmed=True))
    world.sweep()
    table = world.say("ann", ShowContest(world.number))
    assert isinstance(table, Table)
    at = table.columns.index("can end")
    assert {row[1]: bool(row[at]) for row in table.rows} == {"ann": True, "bob": True, "cid": False}
    page = view_page(world.number, None, world.now)
    assert {row.userid: bool(row.reachable) for row in page.rows} == {
        **{"ann": True, "bob": True},
        "cid": False,
    }


def test_a_title_says_once_what_the_name_says_already() -> None:
    world = ContestWorld()
    contest = Contest.objects.get(pk=world.make("ann", most=3, game="druid", options=""))
    assert heading(contest_log.read(contest), world.now).startswith(
        f"Contest {contest.pk}, Druid round robin, open until "
    )
    named = Contest.objects.get(
        pk=world.make("bob", most=3, game="druid", options="", name="Four Corners")
    )
    assert heading(contest_log.read(named), world.now).startswith(
        f"Contest {named.pk}, Four Corners: Druid, round robin, open until "
    )


def test_the_place_in_a_table_is_no_place_where_one_lives() -> None:
    world = ContestWorld()
    number = world.make("ann", most=3, game="druid", options="")
    with use_language("de"):
        table = world.say("ann", ShowContest(number))
        assert isinstance(table, Table)
        shown = table_text(table)
        assert "Rang" in shown
        assert "Ort" not in shown
