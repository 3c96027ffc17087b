"""What a game says of its puzzles, in the module `puzzles` of its own package."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, own_module


class PuzzleModule(Protocol):
    """The module `puzzles` of a game's package.

    Attributes:
        WITHIN: The options of boards that puzzles are made on, as typed, each with the most own
            moves that are asked for.
        OPENING: Puzzles with the same first so many plies are of one opening, of which at most
            `PER_OPENING` are kept.
        NODES: For one question about one move. What is not decided then is no puzzle.
    """

    WITHIN: Mapping[str, int]
    OPENING: int
    PER_OPENING: int
    NODES: int

    def fits(self, position: AnyPosition) -> bool:
        """Return whether a position is small enough for a letter and a phone."""

    def winner(self, position: AnyPosition) -> tuple[int, str] | None:
        """Return the seat that wins, and a winning move of the seat to move or "".

        Left out where a game has no prover of its own; None where nothing is proved.
        """


def settings_of(game: Game) -> PuzzleModule:
    """Return what a game says of its puzzles.

    Raises:
        UserError: It has no such module, or no kernel that proves anything.
    """
    name = own_module(game, "puzzles")
    if name is None:
        raise UserError(
            "No puzzles are made for {title}: its package has no module `puzzles`.",
            code="no-puzzles",
            title=game.info.title,
        )
    module: Any = importlib.import_module(name)
    return module  # type: ignore[no-any-return]
