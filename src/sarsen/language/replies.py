"""What commands are answered with: facts, which every door words in its own way.

All replies can be written as JSON and read back, so that a repeated request gets
the same answer and an answer can be worded later than it was decided.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any


@dataclass(frozen=True)
class HelpPage:
    """A page of help, Markdown."""

    title: str
    text: str


@dataclass(frozen=True)
class SignupAsked:
    """A sign-up waits until one of the addresses answers."""

    userid: str
    addresses: tuple[str, ...]


@dataclass(frozen=True)
class AddressConfirmed:
    """An address is confirmed; `is_new` when that made the account."""

    userid: str
    is_new: bool


@dataclass(frozen=True)
class ChallengeStands:
    """A challenge as it stands now.

    Attributes:
        names: By seat; `anyone` for an open one.
        waiting_for: Who still has to accept; `anyone` for an open seat.
        board: The board that has started, or None.
    """

    number: int
    game: str
    options: str
    names: tuple[str, ...]
    waiting_for: tuple[str, ...]
    board: int | None


@dataclass(frozen=True)
class ChallengeEnded:
    """A challenge was declined or withdrawn."""

    number: int
    how: str


@dataclass(frozen=True)
class Moved:
    """A move was played, as this ply, in this full form."""

    board: int
    ply: int
    text: str


@dataclass(frozen=True)
class ResignAsked:
    """The server asks whether the resignation is meant."""

    board: int


@dataclass(frozen=True)
class Resigned:
    """A board was given up after this many plies."""

    board: int
    ply: int


@dataclass(frozen=True)
class BoardsShown:
    """Boards to draw: pairs of a number and how many plies to show, None for all."""

    boards: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True)
class Previewed:
    """A board to draw after `ply` plies and these moves, in their full forms."""

    board: int
    ply: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table of texts."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Tables:
    """Several tables, one below the other."""

    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Refusal:
    """A `UserError` as a fact."""

    text: str
    code: str
    hint: str


@dataclass(frozen=True)
class Answer:
    """One command line, its secrets blotted out, and what came of it."""

    line: str
    reply: Reply | Refusal


@dataclass(frozen=True)
class Several:
    """The answers to the commands of one `multiple`."""

    answers: tuple[Answer, ...]


Reply = (
    HelpPage
    | SignupAsked
    | AddressConfirmed
    | ChallengeStands
    | ChallengeEnded
    | Moved
    | ResignAsked
    | Resigned
    | BoardsShown
    | Previewed
    | Table
    | Tables
    | Several
)

_KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        HelpPage,
        SignupAsked,
        AddressConfirmed,
        ChallengeStands,
        ChallengeEnded,
        Moved,
        ResignAsked,
        Resigned,
        BoardsShown,
        Previewed,
        Table,
        Tables,
        Refusal,
        Answer,
        Several,
    )
}


def encode(value: Any) -> Any:
    """Turn a reply into what JSON can hold. The pair of `decode`."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = {one.name: encode(getattr(value, one.name)) for one in fields(value)}
        return {"kind": type(value).__name__, **pairs}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    return value


def decode(value: Any) -> Any:
    """Turn what `encode` made back into the reply."""
    if isinstance(value, dict):
        kind = _KINDS[value["kind"]]
        return kind(**{name: decode(item) for name, item in value.items() if name != "kind"})
    if isinstance(value, list):
        return tuple(decode(item) for item in value)
    return value
