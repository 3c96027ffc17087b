"""What a game's module `puzzles` knows of a position: who wins for certain, and whether it fits."""

from __future__ import annotations

import importlib
from typing import Any

from sarsen.core.game import AnyPosition, own_module

# The module with a function `winner`, see `sarsen.lab.puzzles.settings.PuzzleModule`.
MODULE = "puzzles"


def exact_winner(position: AnyPosition) -> int | None:
    """Return the seat that wins a position, proved, whatever the other does.

    Takes milliseconds: nothing is searched. None where the game has no such prover, where nothing
    is proved, and where what the prover needs is not installed.
    """
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner
    module = _module_of(position)
    if not hasattr(module, "winner"):
        return None
    try:
        found = module.winner(position)
    except ImportError:  # NumPy and Numba are an extra
        return None
    return None if found is None else int(found[0])


def fits_puzzles(position: AnyPosition) -> bool:
    """Return whether a board is small enough for puzzles; True where its game says nothing."""
    module = _module_of(position)
    return module is None or bool(module.fits(position))


def _module_of(position: AnyPosition) -> Any:
    """Return what the game of a position says of its puzzles; None where it says nothing."""
    name = own_module(position.game, MODULE)
    return None if name is None else importlib.import_module(name)
