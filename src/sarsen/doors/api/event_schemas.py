"""What the items of each stream of events look like, for the OpenAPI document."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, Union

from pydantic import Field

from sarsen.language.facts import BoardFacts, SeatRating, StreamEvent


@dataclass(frozen=True)
class NoFacts:
    """No further facts."""


@dataclass(frozen=True)
class InvitationFacts:
    """A challenge for the caller; once it is closed, only its number is given."""

    challenge: int
    game: str = ""
    options: str = ""
    terms: str = ""
    names: tuple[str, ...] = ()
    opponent: str = ""
    rating: str = ""


@dataclass(frozen=True)
class WaitingFacts:
    """The boards and challenges that wait for the caller; `challenges` describes `invitations`."""

    to_move: tuple[int, ...]
    invitations: tuple[int, ...]
    challenges: tuple[InvitationFacts, ...]


@dataclass(frozen=True)
class ClosedChallengeFacts:
    """How a challenge ended."""

    challenge: int
    by: str = ""
    how: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ContestNewsFacts:
    """Something happened in a contest of the caller's; `contests/N/log` has all about it.

    Attributes:
        event: Its number in the log of the contest.
        what: `started`, `withdrawn`, `decided`, `corrected`, `closed`, `ended`; expect more.
        board: That was decided, corrected or closed; None for the whole contest, and where a board
            never began.
        player: Who is withdrawn; "" for others.
    """

    contest: int
    event: int
    what: str
    board: int | None
    player: str


@dataclass(frozen=True)
class ChatFacts:
    """A line of the chat."""

    by: str
    text: str
    ply: int


@dataclass(frozen=True)
class PositionFacts:
    """A position: the ply and event to send with a move, and whose turn it is.

    Attributes:
        to_move: The seat whose turn it is; None when the game is over.
        due: When time runs out for the next move; None without a clock and for past events.
        reserves: The seconds left, by seat; None in the same cases.
        legal_moves: With `legal_moves=true`.
    """

    ply: int
    event: int
    to_move: int | None
    position: str
    due: datetime | None
    reserves: tuple[float | None, ...] | None
    legal_moves: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class StartFacts(PositionFacts):
    """A game has begun."""

    options: str
    ratings: tuple[SeatRating | None, ...]


@dataclass(frozen=True)
class ChangeFacts(PositionFacts):
    """A board has changed; `seat` is the seat that changed it, None for the server."""

    seat: int | None


@dataclass(frozen=True)
class MoveFacts(ChangeFacts):
    """A move in canonical notation."""

    text: str


@dataclass(frozen=True)
class OfferedFacts(ChangeFacts):
    """A draw offer or takeback request is made or declined; answer with `offer_event`."""

    what: Literal["draw", "undo"]
    is_open: bool
    offer_event: int


@dataclass(frozen=True)
class ClaimedFacts:
    """A claim of a win or a draw is answered: it is not proven, and the game goes on."""

    ply: int
    event: int
    seat: int
    what: Literal["win", "draw"]
    is_proven: bool


@dataclass(frozen=True)
class EndFacts(ChangeFacts):
    """A game has ended; `scores` is None if an operator has since resumed it."""

    how: str
    scores: tuple[float, ...] | None
    reason: str
    ratings: tuple[SeatRating | None, ...]


def _item(kind: str, facts: type, name: str = "") -> Any:
    """Return the items of one kind, as a dataclass."""
    fields = [("kind", Literal[kind]), ("facts", facts)]
    item = make_dataclass(
        f"{name}{kind.capitalize()}Event", fields, bases=(StreamEvent,), frozen=True, kw_only=True
    )
    item.__doc__ = facts.__doc__
    return item


_OF_BOARDS = (
    _item("move", MoveFacts),
    *(_item(kind, ChangeFacts) for kind in ("undo", "resume")),
    _item("end", EndFacts),
)


def _items(*more: Any) -> Any:
    return Annotated[Union[(*more, *_OF_BOARDS)], Field(discriminator="kind")]


OwnItem = _items(
    _item("hello", WaitingFacts, "Own"),
    _item("gap", NoFacts),
    _item("start", StartFacts),
    _item("offer", OfferedFacts),
    _item("claim", ClaimedFacts),
    _item("chat", ChatFacts),
    _item("invitation", InvitationFacts),
    _item("challenge", ClosedChallengeFacts),
    _item("contest", ContestNewsFacts),
)
BoardItem = _items(_item("hello", BoardFacts, "Board"))
PublicItem = _items(_item("hello", NoFacts, "Public"))
