"""Proofs of wins and draws as text, found by a search and checked by the rules.

Needs no NumPy and no Numba before the first proof.
"""

from __future__ import annotations

import importlib
from typing import Any

from sarsen.core.answers import BETWEEN, MAX_LINES, NotProvedError, check
from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.search.bots import SEATS, has_compiler

# For both seats together: half a second of one core at Druid and Visavis, ten at Vasco. Writing
# and checking 3,158 answers there took 40 seconds more.
MAX_NODES = 1_000_000
MAX_OWN = 3  # own moves of a claimed win where keys forget: more take minutes at Gyges


def can_prove(game: Game) -> bool:
    """Return whether wins at a game can be proved here; nothing is loaded for it.

    A kernel searches it, and is compiled here: a game of another package has none to ask.
    """
    is_searched = own_module(game, "kernel") is not None and len(game.info.seats) == SEATS
    return is_searched and has_compiler()


def prove(position: AnyPosition) -> str:
    """Return a forced win of either seat as answers; "" where none is found.

    Only nodes bound it, and no clock does: it finds the same today and next week.
    """
    name = own_module(position.game, "kernel")
    if name is None or not can_prove(position.game) or position.outcome() is not None:
        return ""
    from sarsen.search.thinking import find_answers

    lines = find_answers(importlib.import_module(name), position, MAX_NODES, MAX_LINES)
    return _checked(position, "\n".join(lines))


def prove_claim(position: AnyPosition, seat: int | None, nodes: int | None = None) -> str:
    """Return a forced win of one seat as answers, or a forced draw; "" where none is found.

    Args:
        seat: The one that is to win; None for a draw.
        nodes: Of each question; None where the caller ends the search. Where keys forget, own
            moves bound it, and nodes do not.
    """
    name = own_module(position.game, "kernel")
    if name is None or not can_prove(position.game) or position.outcome() is not None:
        return ""
    from sarsen.search.thinking import find_claimed, find_claimed_within

    module: Any = importlib.import_module(name)
    if seat is not None and module.kernel(position).is_forgetful:
        lines = find_claimed_within(module, position, seat, MAX_OWN, MAX_LINES)
        return _checked(position, "\n".join(lines))
    parts = find_claimed(module, position, seat, MAX_LINES, nodes)
    return _checked(position, BETWEEN.join("\n".join(part) for part in parts))


def _checked(position: AnyPosition, text: str) -> str:
    """Return a proof that the rules confirm; "" where they do not."""
    try:
        check(position, text)
    except NotProvedError:
        return ""  # what a search believes counts for nothing
    return text
