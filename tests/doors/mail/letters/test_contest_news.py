"""What letters about contests say once: which contest, its law, and who is out."""

from __future__ import annotations

import re

import pytest

from contest_world import DAY, ContestWorld
from doors.mail.letters.test_contest_letters import START
from ladder_world import LadderWorld, wait
from league_world import FIVE, league, next_season, to_next
from sarsen.doors.mail.letters import write_letter
from sarsen.language.commands import (
    CloseContest,
    JoinContest,
    LeaveContest,
    MakeContest,
    WithdrawFromContest,
)
from sarsen.language.contests.answers import ContestMade
from sarsen.services.admin.roles import add_operator
from sarsen.services.mail.outgoing import DueLetter
from sarsen.storage.models import Match, OutgoingMail

pytestmark = pytest.mark.django_db
LAW = "The law of this contest:"


def letters(userid: str, after: int = 0) -> list[tuple[str, str]]:
    """Return kind and text of all letters of a player whose keys are above this."""
    found = OutgoingMail.objects.filter(player__key=userid, pk__gt=after).order_by("pk")
    return [
        (
            mail.kind,
            " ".join(
                write_letter(
                    DueLetter(
                        *(mail.pk, mail.kind, mail.facts, mail.address, mail.player),
                        *("", mail.queued_at, 0, mail.event),
                    )
                ).text.split()
            ),
        )
        for mail in found
    ]


def newest() -> int:
    return int(OutgoingMail.objects.latest("pk").pk)


def match_with_bob(games: int = 3) -> ContestWorld:
    world = ContestWorld(START)
    world.world.player("bob")
    words = ("--with=bob", f"--games={games}")
    made = world.say("ann", MakeContest("druid", "match", "-size=4", words))
    assert isinstance(made, ContestMade)
    world.number = made.number
    world.say("bob", JoinContest(world.number))
    world.sweep()
    return world


@pytest.mark.parametrize("name", ["", "The Stones"])
def test_letters_of_a_ladder_name_it_in_their_first_sentence(name: str) -> None:
    world = LadderWorld("ann", "bob", "cid", "dora", name=name)
    named = f"contest {world.number}, {name or 'Druid ladder'}"
    world.climb("cid", "bob")
    world.win("cid", "bob")
    world.now += 8 * DAY
    world.say("ann", WithdrawFromContest(world.number, "dora", "gone"))
    wait(world, 54, "ann", "bob")
    world.say("ann", CloseContest(world.number, confirmed=True))
    told = [one for userid in ("ann", "bob", "cid", "dora") for one in letters(userid)]
    assert {kind for kind, _ in told} == {
        *("board", "contest-climbed", "contest-warned", "contest-withdrawn", "contest-closed")
    }
    assert any("you have not played on this ladder" in text for _, text in told)
    for _, text in told:
        first = text.partition(". ")[0]
        assert named in first.replace("Contest", "contest"), text[:200]
        if name and not text.startswith(f"Contest {world.number}, {name}: the game"):
            assert f"{name} (Druid -size=5, ladder)" in first


def test_the_law_comes_once_to_a_player_who_was_invited() -> None:
    match_with_bob()
    for userid in ("ann", "bob"):
        started = [text for kind, text in letters(userid) if kind == "contest-started"]
        assert len(started) == 1
        laws = [text for _, text in letters(userid) if LAW in text]
        assert len(laws) == 1
    assert "reply with `contest 1 law`" in re.sub(r"contest \d+", "contest 1", started[0])


def test_the_law_of_a_league_comes_with_the_first_season_of_each_player() -> None:
    world = league(*FIVE)
    world.wait(15 * DAY)
    world.say("fay", JoinContest(next_season(world)))
    to_next(world)
    for userid in ("ann", "fay"):
        starts = [text for kind, text in letters(userid) if kind == "contest-started"]
        assert len(starts) == (1 if userid == "fay" else 2)
        assert [LAW in text for text in starts] == [True, False][: len(starts)]


@pytest.mark.parametrize("gone", ["ann", "bob"])
def test_one_letter_says_who_is_out_of_a_match_and_that_it_is_over(gone: str) -> None:
    world, other = match_with_bob(), "ann" if gone == "bob" else "bob"
    boards = sorted(Match.objects.values_list("pk", flat=True))
    before = newest()
    world.say(gone, LeaveContest(world.number, confirmed=True))
    world.sweep()
    [(kind, text)] = letters(other, before)
    assert kind == "contest-ended"
    assert text.startswith(
        f"{gone} is out of contest {world.number}, Druid match (-size=4). Boards {boards[0]}, "
        f"{boards[1]} are closed. The games that were left count as lost. Contest {world.number}, "
        f"Druid match, is over. This is the final table. The winner is {other}."
    )
    # The one who left reads the table, too, and nothing else.
    assert [kind for kind, _ in letters(gone, before)] == ["contest-ended"]
    assert "You are out of contest" in letters(gone, before)[0][1]


def test_one_letter_says_why_an_operator_takes_somebody_out_of_a_match() -> None:
    world = match_with_bob(games=1)
    world.world.player("olga")
    add_operator("olga", world.now)
    before = newest()
    world.say("olga", WithdrawFromContest(world.number, "bob", "two accounts"))
    for userid in ("ann", "bob"):
        told = letters(userid, before)
        assert [kind for kind, _ in told] == ["contest-ended"]
        assert "The reason: two accounts. " in told[0][1]


@pytest.mark.parametrize("most", [3, 4])
def test_a_withdrawal_that_ends_any_contest_is_told_once(most: int) -> None:
    names = ("ann", "bob", "cid", "dora")[:most]
    world = ContestWorld(START)
    world.make(*names, game="druid", options="-size=4")
    *others, last = names
    for at, winner in enumerate(others):
        for loser in others[at + 1 :]:
            world.win(winner, loser)
    before = newest()
    world.say(last, LeaveContest(world.number, confirmed=True))
    world.sweep()
    assert world.view().state == "ended"
    for userid in names:
        told = letters(userid, before)
        assert [kind for kind, _ in told] == ["contest-ended"]
        assert "all are annulled for the table" in told[0][1]


def test_a_withdrawal_after_which_a_contest_goes_on_is_told_by_itself() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=4")
    before = newest()
    world.say("cid", LeaveContest(world.number, confirmed=True))
    world.sweep()
    assert [kind for kind, _ in letters("ann", before)] == ["contest-withdrawn"]
    world.win("ann", "bob")
    ended = [text for kind, text in letters("ann", before) if kind == "contest-ended"]
    assert len(ended) == 1
    assert "cid is out" not in ended[0]
