"""What a review says in the end: the moves that mattered, and from where all was proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sarsen.search.reviews.looks import Look, for_seat, turned

MOST_TURNS = 5
# Expected score; a point of chances that is lost by less is no turning point.
TURNING = 0.15


@dataclass(frozen=True)
class Turn:
    """A move that gave away more than others did.

    Attributes:
        at: How many plies were played before it.
        before, after: What its player could expect before and after it, in [0, 1].
    """

    at: int
    before: float
    after: float

    @property
    def loss(self) -> float:
        return self.before - self.after


def settled(looks: Sequence[Look]) -> tuple[Look, ...]:
    """Carry proofs forward: where a seat is lost, it is lost after whatever it played.

    The search may prove a position and find nothing in the next one.

    Args:
        looks: By ply, first position first.
    """
    carried = list(looks)
    for at in range(len(carried) - 1):
        here, there = carried[at], carried[at + 1]
        own = for_seat(here.seat, here.proved)
        is_kept = own == 0.0 or (own is not None and not here.best)
        if there.proved is None and is_kept:
            assert here.proved is not None  # its own score is known
            carried[at + 1] = replace(there, score=here.proved, proved=here.proved)
    return tuple(carried)


def losses(looks: Sequence[Look]) -> tuple[Turn, ...]:
    """Return what every move kept and gave away, by ply.

    Args:
        looks: Settled ones, by ply.
    """
    return tuple(
        Turn(at, turned(here.seat, here.score), turned(here.seat, there.score))
        for at, (here, there) in enumerate(pairwise(looks))
    )


def turning_points(looks: Sequence[Look], most: int = MOST_TURNS) -> tuple[Turn, ...]:
    """Return the moves that gave away most, in the order of the game."""
    found = [one for one in losses(looks) if one.loss >= TURNING and looks[one.at].best]
    worst = sorted(found, key=lambda one: (-one.loss, one.at))[:most]
    return tuple(sorted(worst, key=lambda one: one.at))


def proved_from(looks: Sequence[Look]) -> int | None:
    """Return the first position from which the result is proved, up to the last one.

    None when it is not proved at the end, or proved by nothing but the game being over.
    """
    if not looks or looks[-1].proved is None:
        return None
    first = len(looks) - 1
    while first and looks[first - 1].proved == looks[-1].proved:
        first -= 1
    is_only_over = first == len(looks) - 1 and looks[first].plies == 0
    return None if is_only_over else first
