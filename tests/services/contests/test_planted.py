"""Changes planted in what is stored of an ended contest: `sarsen verify` finds each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from clock import NOW
from contest_world import DAY, ContestWorld
from databases import undone
from sarsen.games import load
from sarsen.language.commands import CorrectContest, JoinContest, LeaveContest, MakeContest
from sarsen.language.contests.answers import ContestMade
from sarsen.search import written_proofs
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.storage.models import (
    Contest,
    ContestBoard,
    ContestEntry,
    ContestEvent,
    Match,
    MatchSeat,
)


def differences() -> list[str]:
    return [str(one) for one in verify(VerifyReport(), lambda: None)]


@pytest.fixture(scope="module")
def ended(django_db_setup: None, django_db_blocker: Any) -> Iterator[ContestWorld]:
    """Play one contest for all changes, each of which is taken back."""
    with django_db_blocker.unblock(), time_machine.travel(NOW), undone():
        yield played()


def played() -> ContestWorld:
    """Play a contest of five in which all happens: a withdrawal, a correction, a proof, less time.

    ann beats bob, which an operator corrects; dora leaves early, and is annulled. Of the others
    some are proved, one is decided by time, and all is over.
    """
    world = ContestWorld()
    world.make("ann", "bob", "cid", "dora", "eva", terms=("--days=14", "--forfeittime=30"))
    for winner, loser in (("ann", "bob"), ("cid", "ann")):
        world.win(winner, loser)
    operator = world.world.player("opa")
    operator.is_staff = True
    operator.save()
    drawn = world.board("ann", "bob").pk
    world.say("opa", CorrectContest(world.number, drawn, "=", "agreed"))
    void = world.board("ann", "eva").pk
    world.say("opa", CorrectContest(world.number, void, "void", "played twice"))
    world.say("dora", LeaveContest(world.number, confirmed=True))
    world.wait(DAY)
    slow = world.board("bob", "cid")
    for _ in range(2):
        world.move(slow.pk)
    ends_at = Contest.objects.get(pk=world.number).ends_at
    assert ends_at is not None

    def prove(game: str, position: str) -> str:
        if position == Match.objects.get(pk=slow.pk).position:
            return ""
        return written_proofs.prove(load(game).read(position))

    world.prove = prove
    world.wait(ends_at - world.now)
    kinds = set(world.kinds())
    assert {"withdrawn", "corrected", "closed", "decided", "ended"} <= kinds
    events = ContestEvent.objects.filter(kind="decided")
    assert {"proved" in event.facts for event in events} == {True, False}
    assert differences() == []
    return world


def event(kind: str, index: int = 0) -> ContestEvent:
    return ContestEvent.objects.filter(kind=kind).order_by("number")[index]


def change(kind: str, **facts: Any) -> None:
    """Change facts of the first event of a kind."""
    found = event(kind)
    found.facts |= facts
    found.save()


def move_due(kind: str, by: timedelta) -> None:
    found = event(kind)
    found.due += by
    found.save()


def change_table(**fields: Any) -> None:
    """Change a row of the final table."""
    found = event("ended")
    found.facts["table"][0] |= fields
    found.save()


def other_result() -> None:
    match = Match.objects.filter(events__kind="resign").first()
    assert match is not None
    assert match.scores is not None
    match.scores = match.scores[::-1]
    match.save()


def other_order() -> None:
    order = event("started").facts["order"]
    change("started", order=[order[1], order[0], *order[2:]])


def proved() -> ContestBoard:
    row = ContestBoard.objects.filter(proof__contains="\n").first()
    assert row is not None
    return row


def other_proof() -> None:
    row = proved()
    row.proof = row.proof.rsplit("\n", 1)[0]
    row.save()


def no_proof() -> None:
    ContestBoard.objects.filter(pk=proved().pk).update(proof="-")


def other_date() -> None:
    contest = Contest.objects.get()
    assert contest.ends_at is not None
    contest.ends_at += DAY
    contest.save()


def exchanged_seats() -> None:
    match = Match.objects.earliest("pk")
    one, other = MatchSeat.objects.filter(match=match).order_by("seat")
    one.player, other.player = other.player, one.player
    one.save()
    other.save()


def extra_board() -> None:
    other = ContestWorld()
    other.make("fay", "gus", "hal", game="gyges", options="")
    row = ContestBoard.objects.exclude(contest__game="visavis").earliest("pk")
    contest = Contest.objects.get(game="visavis")
    ContestBoard.objects.filter(pk=row.pk).update(contest=contest)


def board_of_another_contest() -> None:
    match = Match.objects.earliest("pk")
    match.terms["contest"] = 99
    match.save()


def missing_number() -> None:
    ContestEvent.objects.filter(kind="ended").update(number=event("ended").number + 1)


def late_due() -> None:
    found = event("entered")
    found.due = found.at + DAY
    found.save()


def exchanged_decision() -> None:
    change("decided", scores=event("decided").facts["scores"][::-1])


def exchanged_decision_by_time() -> None:
    """Change the log and the board alike."""
    found = next(e for e in ContestEvent.objects.filter(kind="decided") if "proved" not in e.facts)
    found.facts["scores"] = [1.0, 0.0] if found.facts["scores"] != [1.0, 0.0] else [0.0, 1.0]
    found.save()
    match = ContestBoard.objects.get(key=found.facts["key"]).match
    match.scores = found.facts["scores"]
    match.save()
    first, second = found.facts["scores"]
    last = match.events.order_by("-number")[0]
    last.text = f"{first:g} {second:g} {match.reason}"
    last.save()


def other_ending() -> None:
    found = event("opened")
    found.facts["ends_at"] = found.facts["ends_at"].replace("2026", "2027")
    found.save()


PLANTED: dict[str, Callable[[], object]] = {
    "result": other_result,
    "order of entries": other_order,
    "tier": lambda: ContestEntry.objects.filter(number=1).update(tier=2),
    "proof": other_proof,
    "no proof": no_proof,
    "date": other_date,
    "date in the log": other_ending,
    "key": lambda: ContestBoard.objects.filter(pk=proved().pk).update(key="t1.r9.1-2.g1"),
    "seat": exchanged_seats,
    "entry missing": lambda: ContestEntry.objects.filter(number=2).delete(),
    "extra board": extra_board,
    "board missing": lambda: ContestBoard.objects.filter(pk=proved().pk).delete(),
    "number of an event": missing_number,
    "at before due": late_due,
    "due of a decision": lambda: move_due("decided", -DAY),
    "due of the end": lambda: move_due("ended", DAY),
    "due of the pairing": lambda: move_due("paired", -DAY),
    "place": lambda: change_table(place=3),
    "points": lambda: change_table(points=9),
    "annulled": lambda: change("withdrawn", annulled=False),
    "decided scores": exchanged_decision,
    "decided by time": exchanged_decision_by_time,
    "closed key": lambda: change("closed", key=event("decided").facts["key"]),
    "corrected scores": lambda: change("corrected", scores=[0.0, 1.0]),
    "corrected key": lambda: change("corrected", key=event("decided").facts["key"]),
    "state": lambda: Contest.objects.update(state="running"),
    "is out": lambda: ContestEntry.objects.filter(is_out=True).update(is_out=False),
    "board of another contest": board_of_another_contest,
}


@pytest.mark.parametrize("planted", PLANTED)
def test_each_planted_change_is_found(ended: ContestWorld, planted: str) -> None:
    with undone():
        PLANTED[planted]()
        assert differences() != []
    assert differences() == []


@pytest.mark.django_db
def test_a_match_is_verified_as_well() -> None:
    world = ContestWorld()
    made = world.say("ann", MakeContest("druid", "match", "-size=4", ("--days=14",)))
    assert isinstance(made, ContestMade)
    world.number = made.number
    world.say("bob", JoinContest(made.number))
    world.sweep()
    world.say("bob", LeaveContest(world.number, confirmed=True))
    world.sweep()
    assert differences() == []
