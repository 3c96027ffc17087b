"""Proofs that are kept with boards: of claims, at end dates of contests, of losses on time.

A search finds one outside of all transactions, the rules confirm it by playing every reply, and
it is kept as text; `sarsen verify` plays it again.
"""

from __future__ import annotations

from sarsen.core.answers import NotProvedError, check
from sarsen.core.game import AnyPosition

NOTHING = "-"  # in the place of a proof: it was asked for, and none was found


def is_proof(kept: str) -> bool:
    """Return whether what is kept with a board proves a result."""
    return kept not in ("", NOTHING)


def proved_scores(position: AnyPosition, kept: str) -> list[float] | str:
    """Return the scores that a proof forces when it is checked; text where it forces none."""
    try:
        return check(position, kept if is_proof(kept) else "").scores
    except NotProvedError as fault:
        return str(fault)
