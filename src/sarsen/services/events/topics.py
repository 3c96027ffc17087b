"""Things that pages watch for news, as the process that holds their questions knows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

IS_HELD = "sarsen.is_held"  # in the environment of a question that was held, or that may be


class TopicKind(Enum):
    """The kinds of things that have numbers of their own."""

    BOARD = "board"
    CHALLENGE = "challenge"
    PLAYER = "player"


class Topic(NamedTuple):
    """One thing that pages watch."""

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
