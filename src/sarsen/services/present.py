"""A board as it now stands, from what is kept with it: nothing is played again."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.services import matches
from sarsen.services.call import Player


@dataclass(frozen=True)
class Present:
    """The present position of a board, as its game writes it.

    Attributes:
        event: How many events the board has seen.
    """

    game: str
    position: str
    event: int
    is_private: bool


def present(board: int, viewer: Player | None) -> Present:
    """Return how a board stands.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer)
    is_private = bool(match.terms.get("private"))
    return Present(match.game, match.position, match.event_count, is_private)
