"""What every handler is given beside its command: who speaks, when, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.services.time_limits import Budget
from sarsen.storage.models import Match, Player

__all__ = ["NOBODY", "Actor", "AfterEvents", "BoardEvent", "Player", "Request"]


@dataclass(frozen=True)
class Actor:
    """The speaker that a door has authenticated.

    Attributes:
        player: None when nobody is proved.
        seat: The seat a signed reply address stands for: a pair of board number
            and seat, or None.
        address: Where a mail claims to come from; proof of nothing.
        place: Where on the net a request comes from, for `attempts`; "" at other doors.
        budget: The processor time that trying moves may take; None for any.
    """

    player: Player | None = None
    seat: tuple[int, int] | None = None
    address: str = ""
    place: str = ""
    budget: Budget | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        return self.player.userid if self.player else ""


NOBODY = Actor()


# Events that are no rows of the log; the others are kinds of `MatchEvent`.
START, OFFER = "start", "offer"


@dataclass(frozen=True)
class BoardEvent:
    """An event at a board, as subscribers are given it.

    Attributes:
        match: As it stands after the event.
        kind: `START`, `OFFER`, or a kind of `MatchEvent`.
        seat: Whose event it is.
        turn_of: The seat whose turn it ended, to be charged for it; None for no seat.
        text: The move.
    """

    match: Match
    kind: str
    seat: int
    request: Request
    turn_of: int | None = None
    text: str = ""

    @property
    def now(self) -> datetime:
        return self.request.now

    @property
    def ends_match(self) -> bool:
        return self.match.ended_at is not None


Subscriber = Callable[[BoardEvent], None]


@dataclass(frozen=True)
class AfterEvents:
    """What follows from an event at a board, in order, in the transaction that records it.

    Attributes:
        columns: Subscribers that set columns of the match, which is not written yet.
        each: Subscribers that are called once an event and its match are written.
    """

    columns: tuple[Subscriber, ...] = ()
    each: tuple[Subscriber, ...] = ()


@dataclass(frozen=True)
class Request:
    """Pass the speaker, the time, and what follows from events to a handler."""

    actor: Actor
    now: datetime
    after_events: AfterEvents

    def player(self, example: str) -> Player:
        """Return the speaker.

        Raises:
            UserError: Nobody is proved; the hint is the example.
        """
        if self.actor.player is None:
            raise UserError(
                "This command needs to know who speaks: answer a mail that the server sent you, "
                "or put your userid and password into the command.",
                code="who-speaks",
                hint=example,
            )
        return self.actor.player
