"""What plays a seat in a match: the calls it answers, its moves, and its faults."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from sarsen.core.game import AnyPosition


class Kind(enum.Enum):
    """How an engine can fail; the value is the text for people."""

    HANG = "did not answer in time"
    CRASH = "ended"
    GARBAGE = "did not speak the protocol"
    REFUSAL = "refused"
    ILLEGAL = "played an illegal move"


@dataclass(frozen=True)
class EngineFault:
    """The fault of an engine, which loses it the game."""

    kind: Kind
    detail: str

    @property
    def text(self) -> str:
        return f"{self.kind.value}: {self.detail}"


@dataclass(frozen=True)
class EngineResigned:
    """An engine gives the game up."""


@dataclass(frozen=True)
class EngineMoved:
    """A move was named; the referee has not seen it yet."""

    text: str


Choice = EngineMoved | EngineResigned | EngineFault


class Contestant(Protocol):
    """Play one seat of game after game."""

    @property
    def name(self) -> str:
        """The name of it in tables."""

    def begin(self, start: AnyPosition, seed: int) -> EngineFault | None:
        """Get ready for a new game."""

    def watch(self, position: AnyPosition, text: str) -> EngineFault | None:
        """Take note of a move that somebody else made in a position."""

    def get_ready(self, position: AnyPosition) -> None:
        """Load what thinking about such a position needs; the clock does not run yet."""

    def choose(self, position: AnyPosition) -> Choice:
        """Find a move for the seat to move."""

    def close(self) -> None:
        """Release its resources."""
