"""How long games may take in a library that asks for a bound."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.research.playing import Position

# Of a game that knows no bound; a random game of Gyges takes 100 to 900 plies.
USUAL = 1000
MOST = 1_000_000


def most_plies(start: Position, wished: int | None) -> int:
    """Return how many plies a game may have at most.

    Args:
        wished: None or 0 for what the game needs.

    Raises:
        UserError: No game can have so many.
    """
    needed = start.coding.longest or USUAL
    if not wished:
        return needed
    if not 0 < wished <= MOST:
        raise UserError(
            f"A game has 1 to {MOST} plies, not {wished}.",
            code="most-plies",
            hint=f"most_plies={needed}",
        )
    return wished
