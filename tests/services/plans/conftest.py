"""A board of two players who plan their moves."""

from __future__ import annotations

import pytest
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Accept,
    Command,
    MakeChallenge,
    PlayMove,
    QueueMoves,
)
from sarsen.language.replies import (
    ChallengeStands,
    Moved,
    Reply,
)
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Address, Match, OutgoingMail, Plan, Player


class Board:
    """A running board of ann and bob."""

    def __init__(self, game: str = "druid", options: str = "-size=4", *terms: str) -> None:
        self.people = {name: Actor(make_player(name)) for name in ("ann", "bob")}
        challenge = MakeChallenge(game, options, terms, ("ann", "bob"))
        made = self.do("ann", challenge)
        assert isinstance(made, ChallengeStands)
        stands = self.do("bob", Accept(made.number))
        assert isinstance(stands, ChallengeStands)
        assert stands.board is not None
        self.number = stands.board

    def do(self, name: str, command: Command) -> Reply:
        return perform(command, self.people[name], "", timezone.now())

    def queue(self, name: str, text: str = "") -> Reply:
        return self.do(name, QueueMoves("", self.number, text))

    def move(self, name: str, text: str) -> Moved:
        moved = self.do(name, PlayMove("", self.number, text))
        assert isinstance(moved, Moved)
        return moved

    def player(self, name: str) -> Player:
        player = self.people[name].player
        assert player is not None
        return player

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.number)

    @property
    def texts(self) -> list[str]:
        return list(self.match.events.filter(kind="move").values_list("text", flat=True))

    def refused(self, name: str, text: str) -> UserError:
        """Return the refusal of a plan, which changed nothing."""
        before = (self.texts, list(Plan.objects.values()), OutgoingMail.objects.count())
        with pytest.raises(UserError) as refused:
            self.queue(name, text)
        assert (self.texts, list(Plan.objects.values()), OutgoingMail.objects.count()) == before
        return refused.value

    def letters(self, name: str) -> list[OutgoingMail]:
        found = OutgoingMail.objects.filter(player=self.player(name), kind="board")
        return list(found.order_by("pk"))


def make_player(name: str) -> Player:
    now = timezone.now()
    made = Player.objects.create(key=name, userid=name, joined_at=now)
    Address.objects.create(player=made, address=f"{name}@{name}.example", confirmed_at=now)
    return made


@pytest.fixture
def board(db: None) -> Board:
    return Board()
