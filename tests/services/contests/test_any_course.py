"""Whole contests in which players do whatever they may: no law is broken in any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from django.db import transaction

from contest_world import DAY, ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Command,
    LeaveContest,
    OfferDraw,
    Resign,
    TakeVacation,
    WithdrawFromContest,
)
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.storage.models import Contest, ContestEvent, Match

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NAMES = ("ann", "bob", "cid", "dora", "eve", "finn")
FEW = 4  # contests of the short run
DAYS = 30  # from the start of a contest to its end date, at least


class Course:
    """A contest in which each player has habits of a seed's choice."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.names = NAMES[: self.chance.randint(3, len(NAMES))]
        self.world = ContestWorld()
        self.there = {name: self.chance.choice((0.9, 0.5, 0.1, 0.0)) for name in self.names}
        self.done: Counter[str] = Counter()

    def run(self) -> None:
        """Play until the contest is over, two days after its end date at the latest."""
        chance, world = self.chance, self.world
        terms = (
            f"--days={DAYS}",
            f"--games={chance.randint(1, 2)}",
            f"--boards={chance.choice((2, 9))}",
            f"--forfeittime={chance.choice((5, 12))}",
        )
        world.make(*self.names, game="druid", options="-size=6", terms=terms)
        ends_at = Contest.objects.get(pk=world.number).ends_at
        assert ends_at is not None
        while world.now < ends_at + 2 * DAY:
            for name in self.names:
                if chance.random() < self.there[name]:
                    self.live(name)
            world.wait(chance.choice((1, 2, 3)) * DAY)

    def live(self, name: str) -> None:
        """Let a player do something, if it is allowed: most days a move wherever one is due."""
        own = Match.objects.filter(ended_at=None, seats__player__key=name)
        for match in own.order_by("pk"):
            if match.seat_rows[match.seat_to_move].player.userid == name:
                self.world.move(match.pk)
        match = own.order_by("pk").first()
        dice = self.chance.random()
        if dice < 0.02:
            self.say(name, LeaveContest(self.world.number, confirmed=True))
        elif dice < 0.06:
            other = self.chance.choice(self.names)
            self.say(name, WithdrawFromContest(self.world.number, other, "gone"))
        elif dice < 0.1:
            first, last = self.world.now + DAY, self.world.now + 6 * DAY
            self.say(name, TakeVacation(f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}"))
        elif match is not None and dice < 0.12:
            self.say(name, Resign(match.game, match.pk, confirmed=True))
        elif match is not None and dice < 0.2:
            self.say(name, OfferDraw(match.game, match.pk))

    def say(self, name: str, command: Command) -> None:
        try:
            self.world.say(name, command)
        except UserError:
            return
        self.done[type(command).__name__] += 1


def test_a_contest_ends_on_its_day_whatever_its_players_do() -> None:
    seen = play(range(FEW))
    # It would prove little if nothing of a kind had happened.
    assert {"TakeVacation", "Resign", "warned", "decided"} <= set(seen)


@pytest.mark.slow
def test_many_contests_end_on_their_day(amount: Callable[[str, int, int], int]) -> None:
    courses = amount("COURSES", 496, 6)
    seen = play(range(FEW, FEW + courses))
    if courses >= 50:  # in a few it need not happen
        assert {"LeaveContest", "WithdrawFromContest", "OfferDraw", "withdrawn"} <= set(seen)


def play(seeds: range) -> Counter[str]:
    """Play whole contests and check each; return how often each kind of thing happened."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        with transaction.atomic():
            course = Course(seed)
            course.run()
            check(course)
            seen.update(course.done)
            seen.update(course.world.kinds())
            transaction.set_rollback(True)
    return seen


def check(course: Course) -> None:
    """Compare a contest that is over with what the law promises."""
    contest = Contest.objects.get(pk=course.world.number)
    view = course.world.view()
    assert view.state == "ended"
    assert contest.ends_at is not None
    events = ContestEvent.objects.filter(contest=contest)
    assert events.get(kind="ended").due <= contest.ends_at
    boards = Match.objects.filter(contest_board__contest=contest)
    assert not boards.filter(ended_at=None).exists()
    # Each pair met as often as the law says, or the games left are in the log of who is out.
    left = {key for one in events.filter(kind="withdrawn") for key, _ in one.facts["left"]}
    keys = [one.key for one in view.boards]
    assert len(keys) == len(set(keys))
    count = len(course.names)
    assert len(set(keys) | left) == contest.law["games"] * count * (count - 1) // 2
    assert [one.facts["player"] for one in events.filter(kind="withdrawn")] == list(
        dict.fromkeys(one.facts["player"] for one in events.filter(kind="withdrawn"))
    )
    for kind in ("contest-started", "contest-ended"):
        assert Counter(course.world.letters(kind)) == dict.fromkeys(course.names, 1), kind
    differences = [f"{one.about}, {one.what}" for one in verify(VerifyReport(), lambda: None)]
    assert differences == []
