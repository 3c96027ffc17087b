"""The speaker, the time and the subscribers that every handler gets beside its command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sarsen.core.errors import UserError
from sarsen.language.replies import DroppedMove, FollowedMove, encode
from sarsen.services.board_cache import BoardCache
from sarsen.services.limits.processor_time import ProcessorBudget
from sarsen.storage.models import Match, Player

__all__ = ["NOBODY", "Actor", "AfterEvents", "BoardEvent", "Chain", "Player", "Request"]


@dataclass(frozen=True)
class Actor:
    """The speaker that a door has authenticated.

    Attributes:
        player: None when nobody is proved.
        seat: The seat a signed reply address stands for: a pair of board number
            and seat, or None.
        address: Where a mail claims to come from; proof of nothing.
        client_address: Of the net, where a request comes from, for `attempts`; "" at other doors.
        budget: The processor time that trying moves may take; None for any.
        by_password: Proved by the password that `player` was read with, or by a session that
            ends with it.
    """

    player: Player | None = None
    seat: tuple[int, int] | None = None
    address: str = ""
    client_address: str = ""
    budget: ProcessorBudget | None = field(default=None, compare=False)
    by_password: bool = field(default=False, compare=False)

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
        facts: What letters about the event say of it.
    """

    match: Match
    kind: str
    seat: int
    request: Request
    turn_of: int | None = None
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return self.request.now

    @property
    def ends_match(self) -> bool:
        return self.match.ended_at is not None


@dataclass(frozen=True)
class Chain:
    """The moves that plans played after an event, and what became of the plans.

    Attributes:
        began: The ply of the event.
        followed: The moves played by plans, in order.
        dropped: By player's id, what was taken out of their plan and why.
        uncovered: Ids of players whose plans have no line for what was played.
        holding: Ids of players whose plans hold again after moves were taken back.
    """

    began: int
    followed: tuple[FollowedMove, ...] = ()
    dropped: Mapping[int, tuple[DroppedMove, ...]] = field(default_factory=dict)
    uncovered: frozenset[int] = frozenset()
    holding: frozenset[int] = frozenset()

    def followed_for(self, player: Player) -> tuple[FollowedMove, ...]:
        """Return the moves played by plans, those of a player's own without their name."""
        userid = player.userid
        return tuple(
            replace(move, player="") if move.player == userid else move for move in self.followed
        )

    def news_for(self, player: Player) -> dict[str, Any]:
        """Return what a letter to a player says of plans; {} for nothing.

        That a plan dropped a move, or has no line, is its owner's business alone.
        """
        if player.pk in self.holding:
            return {"plan": {"again": True}}
        dropped = self.dropped.get(player.pk, ())
        news: dict[str, Any] = {}
        if self.followed:
            news["began"] = self.began
            news["by_plan"] = [move.ply for move in self.followed]
        if dropped or any(move.player == player.userid for move in self.followed):
            news["is_own"] = True
        if dropped:
            news["dropped"] = [
                [move.text, encode(move.why, with_templates=True)] for move in dropped
            ]
        if player.pk in self.uncovered:
            news["uncovered"] = True
        return {"plan": news} if news else {}


Subscriber = Callable[[BoardEvent], None]


@dataclass(frozen=True)
class AfterEvents:
    """The subscribers of events at boards, in order, in the transaction that records the event.

    Attributes:
        columns: Subscribers that set columns of the match, which is not written yet.
        each: Subscribers that are called once an event and its match are written.
        plans: Called once for the event of a command: it may record further moves, for each of
            which the subscribers above are called.
        letters: Called last, once, with what plans made of the event.
    """

    columns: tuple[Subscriber, ...]
    each: tuple[Subscriber, ...]
    plans: Callable[[BoardEvent], Chain]
    letters: Callable[[BoardEvent, Chain], None]


@dataclass(frozen=True)
class Request:
    """Pass the speaker, the time, what follows from events, and boards to a handler.

    Attributes:
        boards: Those loaded and judged so far.
        wakes_sender: Wake the job that sends letters; False when the caller does, for many
            requests.
    """

    actor: Actor
    now: datetime
    after_events: AfterEvents
    boards: BoardCache = field(default_factory=BoardCache, compare=False)
    wakes_sender: bool = True

    def player(self, example: str) -> Player:
        """Return the speaker.

        Raises:
            UserError: Nobody is proved; the hint is the example.
        """
        if self.actor.player is None:
            raise UserError(
                "The server needs to know who you are: reply to one of its mails, or put your "
                "name and password into the command.",
                code="who-speaks",
                hint=example,
            )
        return self.actor.player
