"""Who wins a position for certain, where a game's own prover knows it of every position."""

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
    name = own_module(position.game, MODULE)
    if name is None:
        return None
    module: Any = importlib.import_module(name)
    if not hasattr(module, "winner"):
        return None
    try:
        found = module.winner(position)
    except ImportError:  # NumPy and Numba are an extra
        return None
    return None if found is None else int(found[0])
