"""A server with a ladder, at times of the test's choice."""

from __future__ import annotations

from datetime import timedelta

import pytest

from contest_world import DAY, ContestWorld
from sarsen.core.errors import UserError
from sarsen.language.commands import (
    ClimbLadder,
    JoinLadder,
    ListContests,
    MakeContest,
    OfferDraw,
    ShowLadder,
)
from sarsen.language.contests.ladders import Climbed, LadderMade
from sarsen.language.ratings import Table
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport

pytestmark = pytest.mark.django_db

LETTERS = ("ann", "bob", "cid", "dora", "eva")


def differences() -> list[str]:
    found = verify(VerifyReport(), lambda: None)
    return [str(one) for one in found]


class LadderWorld(ContestWorld):
    """A server with a ladder."""

    def __init__(
        self,
        *userids: str,
        terms: tuple[str, ...] = (),
        game: str = "druid",
        options: str = "-size=5",
        name: str = "",
    ) -> None:
        super().__init__()
        self.game = game
        made = self.say(userids[0], MakeContest(game, "ladder", options, terms, name))
        assert isinstance(made, LadderMade)
        self.number = made.number
        for userid in userids[1:]:
            self.now += timedelta(hours=1)
            self.say(userid, JoinLadder(game))

    def climb(self, one: str, other: str) -> Climbed:
        reply = self.say(one, ClimbLadder(self.game, other))
        assert isinstance(reply, Climbed)
        return reply

    def draw(self, one: str, other: str) -> None:
        """Let the board of two players end in a draw."""
        board = self.board(one, other).pk
        for userid in (one, other):
            self.say(userid, OfferDraw(self.game, board))

    def refused(self, userid: str, command: ClimbLadder) -> tuple[str, str, str]:
        """Return code, hint and text of a refusal, after which the log is as before."""
        log = self.kinds()
        with pytest.raises(UserError) as refusal:
            self.say(userid, command)
        assert self.kinds() == log
        return refusal.value.code, str(refusal.value.hint), str(refusal.value.text)

    @property
    def order(self) -> list[str]:
        return [row.userid for row in self.view().table]

    def lines(self, userid: str) -> list[tuple[str, ...]]:
        """Return the rows that a player sees."""
        table = self.say(userid, ShowLadder(self.game))
        assert isinstance(table, Table)
        return [tuple(map(str, row)) for row in table.rows]


def write_all(world: LadderWorld, *names: str) -> None:
    """Let players give a sign of life."""
    for name in names:
        world.say(name, ListContests())


def wait(world: LadderWorld, days: int, *names: str) -> None:
    """Let days pass in which players give signs of life."""
    for day in range(days):
        if day % 10 == 0:
            write_all(world, *names)
        world.wait(DAY)


def two_boards() -> LadderWorld:
    return LadderWorld("ann", "bob", "cid", game="visavis", options="-size=5")
