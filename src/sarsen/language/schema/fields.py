"""What the values of a command's fields may be: metadata in `Annotated`, which `schemas` reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from sarsen.core.referee import MAX_MOVE

WORD = r"^\S+$"
# Characters: shorter ones are guessed; longer ones only take time to check.
MIN_PASSWORD, MAX_PASSWORD = 6, 128
MAX_ADDRESSES = 5  # of a player: each letter goes to all of them
MAX_LISTED_PLAYERS = 10  # whose boards one command shows, a query each
MAX_COMPARED_PLAYERS = 2  # whose results one table shows: it has two sides


@dataclass(frozen=True)
class Form:
    """A regular expression that the whole of a text matches."""

    pattern: str


@dataclass(frozen=True)
class OneOf:
    """The only words that are taken, in any case."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class AnyCase:
    """A text that is read without regard to case."""


@dataclass(frozen=True)
class AtMost:
    """The largest number that is taken."""

    most: int


@dataclass(frozen=True)
class Bounds:
    """What the service takes of a text, or of each text of a list.

    A longer one is read, up to the length of a line, so that the service refuses it: with its code
    and a line that would have worked.

    Attributes:
        least, most: Characters; None for any number.
        pattern: A regular expression that the whole text matches; "" for any text.
    """

    most: int | None = None
    least: int | None = None
    pattern: str = ""


UNBOUNDED = Bounds()


@dataclass(frozen=True)
class MaxItems:
    """How many elements of a list the service takes; more are read, as with `Bounds`."""

    most: int


@dataclass(frozen=True)
class Example:
    """A value as it is sent, for readers of the document and programs that try it out."""

    value: Any


@dataclass(frozen=True)
class MayLack:
    """A field that is empty when it is not sent, as in a line without it."""


Addresses = Annotated[tuple[str, ...], MaxItems(MAX_ADDRESSES)]
BoardNumber = Annotated[int, Example(123)]
EventNumber = Annotated[int, AtMost(9_999_999)]
# A board's number says which game it is.
GameName = Annotated[str, AnyCase(), MayLack(), Example("druid")]
GameOptions = Annotated[str, Form(r"^(-[^\s-]\S*( |$))*$"), MayLack(), Example("-size=5")]
# Words that stand for the speaker where a userid is expected: those of our help, and those of the
# announcements that people paste lines from.
SPEAKER_WORDS = ("me", "you", "myself", "yourself", "yourname", "your-name", "youruserid", "yourid")
Names = Annotated[
    tuple[Annotated[str, Form(r"^[^\s-]\S*$")], ...],
    Example(["me", "bot3"]),
]
MoveText = Annotated[str, Bounds(MAX_MOVE), Example("c1")]
Moves = Annotated[tuple[Annotated[str, Bounds(MAX_MOVE)], ...], Example(["c1", "b2"])]
PlyNumber = Annotated[int, AtMost(999_999)]
Terms = Annotated[tuple[Annotated[str, Form(r"^--\S+$")], ...], MayLack(), Example(["--unrated"])]
Userid = Annotated[str, Form(WORD), Example("ann")]
