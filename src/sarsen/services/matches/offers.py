"""What one side asks the other at a board: a draw, or to take a move back. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

DRAW, UNDO = "draw", "undo"


@dataclass(frozen=True)
class Offer:
    """The one offer of a board, open or answered with a no.

    Attributes:
        kind: `draw` or `undo`.
        seat: Who made it.
        ply: How many moves would stand when a wish to take back is granted; for a
            draw, how many had been played.
        event: How many events the match had when it was made.
        agreed: The seats that agree, the asker's own among them.
        is_open: False after a no, or when it was withdrawn: the same may then be
            asked again only after the next move of who asked.
    """

    kind: str
    seat: int
    ply: int
    event: int
    agreed: tuple[int, ...]
    is_open: bool = True


def read(stored: dict[str, Any] | None) -> Offer | None:
    """Read an offer as it is kept with its match. The pair of `write`."""
    return Offer(**{**stored, "agreed": tuple(stored["agreed"])}) if stored else None


def write(offer: Offer | None) -> dict[str, Any] | None:
    """Write an offer to be kept with its match."""
    return None if offer is None else {**asdict(offer), "agreed": list(offer.agreed)}


def after_move(offer: Offer | None, seat: int) -> Offer | None:
    """Return what is left of an offer after a move of a seat.

    A player who moves instead of agreeing to a draw has declined it. A player who moves while
    a request of their own waits has a new last move, and the request is void.
    """
    if offer is None:
        return None
    is_his_own = seat in offer.agreed
    stands = is_his_own if offer.is_open and offer.kind == DRAW else not is_his_own
    return offer if stands else None


def agreed_by(offer: Offer, seats: Iterable[int]) -> Offer:
    """Add seats to those that agree."""
    return replace(offer, agreed=tuple(sorted({*offer.agreed, *seats})))


def closed(offer: Offer) -> Offer:
    """Return an offer after a no."""
    return replace(offer, is_open=False)
