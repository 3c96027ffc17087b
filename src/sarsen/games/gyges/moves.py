"""What a player can do: set up a row, or move a ring, perhaps several times in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SetUp:
    """The six rings a player starts with.

    Attributes:
        rings: Their values in columns 1 to 6 as South looks: `231123`.
    """

    rings: str

    def __str__(self) -> str:
        return self.rings


@dataclass(frozen=True, slots=True)
class RingMove:
    """The move of one ring, and those that follow it while the opponent is stalemated.

    Attributes:
        stops: The origin, every ring bounced on, and the end: `("13", "14", "24")`.
        relocation: Where the ring that stood at the end goes; empty when none did.
        then: The same player's next move, sent along with this one.
    """

    stops: tuple[str, ...]
    relocation: str = ""
    then: RingMove | None = None

    @property
    def parts(self) -> Iterator[RingMove]:
        """The single moves, in order."""
        part: RingMove | None = self
        while part is not None:
            yield replace(part, then=None)
            part = part.then

    def __str__(self) -> str:
        return "; ".join(_single(part) for part in self.parts)


Move = SetUp | RingMove


def chain(parts: Sequence[RingMove]) -> RingMove:
    """Join single moves into one: the pair of `RingMove.parts`."""
    joined = parts[-1]
    for part in reversed(parts[:-1]):
        joined = replace(part, then=joined)
    return joined


def _single(move: RingMove) -> str:
    *way, end = move.stops
    if move.relocation:
        return f"{'-'.join(way)}x{end}={move.relocation}"
    return "-".join(move.stops)
