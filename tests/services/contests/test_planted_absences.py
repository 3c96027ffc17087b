"""Dates planted in the log for absent entrants (E5, E7, E8): `sarsen verify` finds each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import combinations

import pytest
from django.db import transaction

from contest_world import DAY, ContestWorld
from sarsen.language.commands import JoinContest, ListContests
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.storage.models import ContestEvent, Match, MatchEvent

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def differences() -> list[str]:
    return [one.what for one in verify(VerifyReport(), lambda: None)]


def let_move(world: ContestWorld, name: str, *others: str) -> None:
    """Let a player move at the boards against others, where it is their turn."""
    for other in others:
        match = Match.objects.get(pk=world.board(name, other).pk)
        if match.seat_rows[match.seat_to_move].player.userid == name:
            world.move(match.pk)


@pytest.fixture
def absent() -> ContestWorld:
    """A contest in which ann never moves and loses her seat, and dora falls silent later."""
    world = ContestWorld()
    names, terms = ("ann", "bob", "cid", "dora"), ("--forfeittime=60",)
    world.make(*names, game="druid", options="-size=6", terms=terms)
    world.say("eva", JoinContest(world.number, waits=True))
    for one, other in (("bob", "cid"), ("cid", "dora"), ("dora", "bob")):
        let_move(world, one, other)
        let_move(world, other, one)
    world.wait(11 * DAY)
    for _ in range(6):
        for name in ("bob", "cid", "eva"):
            world.say(name, ListContests())
        world.wait(4 * DAY)
    assert world.kinds().count("reminded") >= 2
    assert {"substituted", "warned", "withdrawn"} <= set(world.kinds())
    assert differences() == []
    return world


@pytest.fixture
def losing() -> ContestWorld:
    """A contest in which bob loses on time on the 14th day and, after a letter, on the 26th."""
    world = ContestWorld()
    others = ("ann", "cid", "dora", "eva")
    world.make("bob", *others, game="druid", options="-size=6")
    for winner, loser in combinations(others, 2):
        world.win(winner, loser)
    for other in others:
        let_move(world, other, "bob")
    world.wait(10 * DAY)
    let_move(world, "bob", "cid", "dora", "eva")
    world.wait(2 * DAY)
    let_move(world, "cid", "bob")
    world.wait(3 * DAY)
    world.say("bob", ListContests())
    world.wait(7 * DAY)
    let_move(world, "dora", "bob")
    let_move(world, "eva", "bob")
    world.wait(12 * DAY)
    assert {"warned", "withdrawn"} <= set(world.kinds())
    assert differences() == []
    return world


def event(kind: str, index: int = 0) -> ContestEvent:
    return ContestEvent.objects.filter(kind=kind).order_by("number")[index]


def move_due(kind: str, by: timedelta, index: int = 0) -> int:
    """Move the date of an act, and when it was written, as long as the order allows that."""
    found = event(kind, index)
    found.due += by
    found.at = max(found.at, found.due)
    found.save()
    return found.number


def move_sign_of_life() -> int:
    """Let the one who was reminded have moved the day before."""
    found = event("reminded")
    at = found.at - DAY
    for match in Match.objects.filter(seats__player__key="ann"):
        for seat in range(2):
            MatchEvent.objects.create(
                match=match, number=90 + seat, kind="move", ply=1 + seat, seat=seat, at=at
            )
    return found.number


ABSENT: dict[str, Callable[[], int]] = {
    "E7, reminder earlier": lambda: move_due("reminded", -HOUR),
    "E7, reminder later": lambda: move_due("reminded", HOUR),
    "E7, second reminder later": lambda: move_due("reminded", HOUR, 1),
    "E7, reminded after a move": move_sign_of_life,
    "E7, substitute earlier": lambda: move_due("substituted", -HOUR),
    "E7, substitute later": lambda: move_due("substituted", HOUR),
    "E8, warning of silence earlier": lambda: move_due("warned", -HOUR),
    "E8, out for silence earlier": lambda: move_due("withdrawn", -HOUR),
    "E8, out for silence later": lambda: move_due("withdrawn", HOUR),
}
LOSING: dict[str, Callable[[], int]] = {
    "E8, warning of losses earlier": lambda: move_due("warned", -HOUR),
    "E8, warning of losses later": lambda: move_due("warned", HOUR),
    "E8, warning of a first loss": lambda: move_due("warned", -12 * DAY),
    "E8, out for losses earlier": lambda: move_due("withdrawn", -HOUR),
    "E8, out for losses later": lambda: move_due("withdrawn", HOUR),
}


def not_found(planted: Mapping[str, Callable[[], int]]) -> list[str]:
    """Plant one change after another, each in the same contest; return those that go unnoticed."""
    missed = []
    for name, plant in planted.items():
        with transaction.atomic():
            if f"due of event {plant()}" not in differences():
                missed.append(name)
            transaction.set_rollback(True)
    return missed


@pytest.mark.usefixtures("absent")
def test_each_date_planted_for_somebody_absent_is_found() -> None:
    assert not_found(ABSENT) == []


@pytest.mark.usefixtures("losing")
def test_each_date_planted_for_losses_on_time_is_found() -> None:
    assert not_found(LOSING) == []
