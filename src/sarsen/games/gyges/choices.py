"""What a player can choose from: every arrangement of rings one move away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sarsen.games.gyges.board import (
    GOALS,
    NAMES,
    SLOTS,
    Rings,
    is_beyond_shore,
    shore_rings,
)
from sarsen.games.gyges.moves import RingMove
from sarsen.games.gyges.routes import arrivals


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and the arrangement it gives."""

    stops: tuple[int, ...]
    relocation: int | None
    rings: Rings

    @property
    def move(self) -> RingMove:
        """The move, in names."""
        relocation = "" if self.relocation is None else NAMES[self.relocation]
        return RingMove(tuple(NAMES[stop] for stop in self.stops), relocation)

    @property
    def wins(self) -> bool:
        """Whether the move ends on a goal."""
        return self.stops[-1] in GOALS

    @property
    def rank(self) -> tuple[bool, int, tuple[int, ...]]:
        """What decides between choices that give the same result: the lowest is listed.

        A plain move comes before a relocation, then the fewest stops, then the smallest slots.
        """
        return (self.relocation is not None, len(self.stops), self.stops)


def choices(rings: Rings, seat: int, stood: frozenset[Rings]) -> Iterator[Choice]:
    """Yield the legal choices as they are found; several may give one arrangement."""
    for origin in shore_rings(rings, seat):
        yield from choices_of(rings, origin, seat, stood)


def choices_of(rings: Rings, origin: int, seat: int, stood: frozenset[Rings]) -> Iterator[Choice]:
    """Yield the legal choices of one ring of the shore as they are found."""
    free = [place for place in SLOTS if is_free_to_relocate(rings, place, origin, seat)]
    for stops in arrivals(rings, origin, seat):
        end = stops[-1]
        relocations = free if rings[end] and end != origin else [None]
        for relocation in relocations:
            after = moved(rings, origin, end, relocation)
            # Ruling G5 (Renop): no arrangement stands twice, whoever is to move.
            if after not in stood:
                yield Choice(stops, relocation, after)


def is_free_to_relocate(rings: Rings, place: int, origin: int, seat: int) -> bool:
    """Return whether a ring that is relocated may go to a place.

    Ruling G4: an empty slot, the origin of the move included, that is not in a
    row strictly beyond the opponent's shore. No move of a ring to another's
    place changes which row that is.
    """
    if place in GOALS or (rings[place] and place != origin):
        return False
    return not is_beyond_shore(place, rings, 1 - seat)


def moved(rings: Rings, origin: int, end: int, relocation: int | None) -> Rings:
    """Return the arrangement after a move."""
    after = bytearray(rings)
    after[origin] = 0
    after[end] = rings[origin]
    if relocation is not None:
        after[relocation] = rings[end]
    return bytes(after)
