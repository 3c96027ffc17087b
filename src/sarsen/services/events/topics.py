"""What a page may watch for news, as the process that holds its question needs to know it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

IS_HELD = "sarsen.is_held"  # in the environment of a question that was held, or that may be


class Kind(Enum):
    """What a number is of."""

    BOARD = "board"
    CHALLENGE = "challenge"
    PLAYER = "player"


class Topic(NamedTuple):
    """One thing that pages watch."""

    kind: Kind
    number: int


@dataclass(frozen=True)
class Watched:
    """What a page watches.

    Attributes:
        seen: The stamp that it knows; "" for none.
        is_player: Its viewer is logged in.
    """

    topic: Topic
    seen: str
    is_player: bool
