"""Visavis' symmetries: bridges that do the same.

Its mirror exchanges O and X (docs/visavis-proof.md, corollary of theorem 2) and so the
side to move. It never maps a position to one, since O moves first and no bridge goes away: with
as many bridges each it is O's turn. A half turn is none, since it turns each cell over.
"""

from __future__ import annotations

from functools import cache

from sarsen.games.visavis.board import O, VisavisBoard, X, board_of, pegs_at
from sarsen.games.visavis.rules import VisavisPosition


def canonical(position: VisavisPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it; nothing of the past counts.

    Whether a swap can still come, then the size and the places of both sides in hexadecimal. Of
    places that do the same the first ones count as taken.
    """
    size, (first, second) = position.terms.number("size"), position.bridges
    may_be_swapped = position.terms.flag("swap") and not position.is_swapped
    option = "swap" if may_be_swapped and first.bit_count() < 2 and not second else ""
    taken = [f"{_in_order(size, side, position.bridges[side]):x}" for side in (O, X)]
    return f"{option}:{size} {' '.join(taken)}"


def _in_order(size: int, side: int, bridges: int) -> int:
    """Return bridges moved to the first of the places that do the same."""
    for group, firsts in _alike(size)[side]:
        taken = bridges & group
        if taken:
            bridges ^= taken ^ firsts[taken.bit_count()]
    return bridges


@cache
def _alike(size: int) -> tuple[list[tuple[int, list[int]]], ...]:
    """Return for each side the sets of places that do the same, with their first 0, 1, 2 …

    They cross the same places and join the same pegs, those along an end counting as one. All
    that join pegs along the same end do nothing, and do the same.
    """
    board = board_of(size)
    groups: tuple[dict[object, list[int]], ...] = ({}, {})
    for side in (O, X):
        for _, place in board.named[side]:
            pegs = _joined(board, side, place)
            does = (board.crossed(side, place), pegs) if len(pegs) > 1 else None
            groups[side].setdefault(does, []).append(place)
    return tuple(
        [
            (sum(places), [sum(places[:count]) for count in range(len(places) + 1)])
            for places in of_side.values()
            if len(places) > 1
        ]
        for of_side in groups
    )


def _joined(board: VisavisBoard, side: int, place: int) -> frozenset[int]:
    """Return the pegs that a bridge joins, each with all along the same end."""
    pegs, ends = pegs_at(board, side, place), board.ends[side]
    alone = [1 << at for at in range(pegs.bit_length()) if pegs >> at & 1]
    return frozenset(next((end for end in ends if peg & end), peg) for peg in alone)
