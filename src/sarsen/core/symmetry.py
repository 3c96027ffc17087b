"""Texts that are equal for positions that are the same up to the symmetries of their game.

A package may bring a module `symmetry` with `canonical(position) -> str`. First come options
that the rules still look at, and a colon; then what lies on the board. After a semicolon comes
what a player does not see there and the rules look at as well: plies left, arrangements that
stood, the direction of reading.
"""

from __future__ import annotations

import importlib

from sarsen.core.game import AnyPosition, Game, own_module

MODULE = "symmetry"


def canonical(position: AnyPosition) -> str:
    """Return a text that two positions of a game share only if they are the same position.

    They are the same up to symmetries and an exchange of the seats: what can still happen in one
    can happen in the other, moves mapped to moves, and whoever moves scores the same. Without
    a module `symmetry` only equal positions share a text.
    """
    return _own_text(position) or _written(position)


def canonical_board(position: AnyPosition) -> str:
    """Return the part of `canonical` that says what lies on the board, and who moves.

    Also positions share it that differ in nothing but their past, or in what becomes of a
    symmetry at the end of the game: enough to say that somebody looks at the same board, too
    little to keep what was proved of it.
    """
    text = _own_text(position)
    return text.partition(";")[0] if text else _written(position)


def has_symmetry(game: Game) -> bool:
    """Return whether a game says which of its positions are the same."""
    return own_module(game, MODULE) is not None


def arrangement(board: str) -> str:
    """Return what of a `canonical_board` is left without the options: what lies on the board."""
    return board.rpartition(":")[2]


def _own_text(position: AnyPosition) -> str:
    name = own_module(position.game, MODULE)
    return importlib.import_module(name).canonical(position) if name else ""


def _written(position: AnyPosition) -> str:
    options = " ".join(f"-{name}={value}" for name, value in sorted(position.options.items()))
    return f"{options} {position.write()}".strip()
