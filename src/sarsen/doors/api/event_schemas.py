"""What the items of each stream of events look like, for the OpenAPI document."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, Union

from pydantic import Field

from sarsen.language.facts import BoardFacts, SeatRating, StreamEvent


@dataclass(frozen=True)
class NoFacts:
    """Nothing that the item does not say itself."""


@dataclass(frozen=True)
class InvitationFacts:
    """A challenge that waits for the caller; all but its number only as long as it waits."""

    challenge: int
    game: str = ""
    options: str = ""
    terms: str = ""
    names: tuple[str, ...] = ()
    opponent: str = ""
    rating: str = ""


@dataclass(frozen=True)
class WaitingFacts:
    """What waits for the caller: boards, and challenges by their numbers and with their facts."""

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
class ChatFacts:
    """A line of the chat."""

    by: str
    text: str
    ply: int


@dataclass(frozen=True)
class PositionFacts:
    """A position: the ply and event with which it is answered, and whose turn it is.

    Attributes:
        to_move: The seat; None when the game is over.
        due: When the next move is lost; None where no clock runs, or of earlier events.
        reserves: The seconds left, by seat; None likewise.
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
    """A game begins."""

    options: str
    ratings: tuple[SeatRating | None, ...]


@dataclass(frozen=True)
class ChangeFacts(PositionFacts):
    """Something changes a board; `seat` is whose doing it is, None of nobody's."""

    seat: int | None


@dataclass(frozen=True)
class MoveFacts(ChangeFacts):
    """A move in its one full form."""

    text: str


@dataclass(frozen=True)
class OfferedFacts(ChangeFacts):
    """A draw or a takeback is asked for, or answered with no; `offer_event` answers it."""

    what: Literal["draw", "undo"]
    is_open: bool
    offer_event: int


@dataclass(frozen=True)
class EndFacts(ChangeFacts):
    """A game ends; no scores when an operator has let it go on since."""

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
    _item("chat", ChatFacts),
    _item("invitation", InvitationFacts),
    _item("challenge", ClosedChallengeFacts),
)
BoardItem = _items(_item("hello", BoardFacts, "Board"))
PublicItem = _items(_item("hello", NoFacts, "Public"))
