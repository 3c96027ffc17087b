"""Things that pages and streams watch for news, as the process that holds them knows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

IS_HELD = "sarsen.is_held"  # in the environment of a question that was held, or that may be


class TopicKind(Enum):
    """The kinds of things that have numbers of their own."""

    BOARD = "board"
    CHALLENGE = "challenge"
    CONTEST = "contest"
    PLAYER = "player"
    STREAM = "stream"  # of the player with this number
    PUBLIC = "public"  # all public boards; the number is 0
    ANALYST = "analyst"  # the question of an asker with this number


class Topic(NamedTuple):
    """One thing that pages or streams watch."""

    kind: TopicKind
    number: int


@dataclass(frozen=True)
class Watched:
    """One topic that a page watches.

    Attributes:
        seen: The stamp that it knows; "" for none.
        is_player: Its viewer is logged in.
    """

    topic: Topic
    seen: str
    is_player: bool


@dataclass(frozen=True)
class Reading:
    """The next part of a stream.

    Attributes:
        text: b"" when there is nothing new.
        stamp: Of the topic, from before the items were read; "" to read again soon.
        is_over: Nothing comes after it.
    """

    text: bytes
    stamp: str
    is_over: bool = False


class HeldStream(Protocol):
    """A response without an end, read again whenever its topic has news.

    Attributes:
        heartbeat: What is sent when nothing has happened for a while.
        ends: When nothing is sent any more, by the monotonic clock, in seconds.
    """

    topic: Topic
    heartbeat: bytes
    ends: float

    def has_room(self) -> bool:
        """Return whether any of its caller's time is left; asked on the event loop."""

    def read(self) -> Reading:
        """Return what has not been sent."""

    def close(self) -> None:
        """Release what the stream holds."""
