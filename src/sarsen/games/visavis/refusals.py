"""Say why a bridge is refused: which rule, which other bridge, and a place near it that works."""

from __future__ import annotations

from sarsen.core.errors import IllegalMove
from sarsen.games.visavis.board import (
    SIDES,
    Board,
    Coordinate,
    is_peg,
    joined_pegs,
    name,
)


def refuse_place(
    board: Board, bridges: tuple[int, int], side: int, wish: Coordinate
) -> IllegalMove | None:
    """Refuse a bridge of a side at a coordinate, or give None when it may stand there."""
    place = board.place(side, wish)
    if not place:
        return _refuse_coordinate(board, side, wish)
    if place & bridges[side]:
        return IllegalMove(
            f"{SIDES[side]} has the bridge {spelled(side, wish)} already.", code="visavis.occupied"
        )
    # Ruling X2: bridges that cross in the plane block each other.
    crossing = board.crossed(side, place) & bridges[1 - side]
    if crossing:
        others = [spelled(1 - side, other) for other in board.coordinates(crossing)]
        blocked, named = (
            f"{spelled(side, wish)} is blocked: {SIDES[1 - side]}'s",
            " and ".join(others),
        )
        return IllegalMove(
            f"{blocked} bridge {named} crosses it."
            if len(others) == 1
            else f"{blocked} bridges {named} cross it.",
            code="visavis.blocked",
        )
    return None


def spelled(side: int, coordinate: Coordinate) -> str:
    """Name a bridge with its two pegs: `D4 (C5-E3)`."""
    first, second = joined_pegs(side, *coordinate)
    return f"{name(*coordinate)} ({name(*first)}-{name(*second)})"


def nearest(board: Board, open_places: int, wish: Coordinate) -> str:
    """Name the open place nearest to a coordinate, the first in reading order of equals."""
    column, row = wish
    places = board.coordinates(open_places)
    return name(*min(places, key=lambda place: abs(place[0] - column) + abs(place[1] - row)))


def _refuse_coordinate(board: Board, side: int, wish: Coordinate) -> IllegalMove:
    """Refuse a coordinate at which this side can never have a bridge."""
    place, mover, other = name(*wish), SIDES[side], SIDES[1 - side]
    if is_peg(side, *wish, board.size):
        return IllegalMove(
            f"{place} is one of {mover}'s pegs. Name the place between two pegs, "
            "where the middle of the bridge will be.",
            code="visavis.peg",
        )
    if board.place(1 - side, wish):
        return IllegalMove(
            f"{place} lies between two pegs of {other}, and {mover} bridges its own pegs only.",
            code="visavis.other-side",
        )
    if is_peg(1 - side, *wish, board.size):
        return IllegalMove(
            f"{place} is one of {other}'s pegs, beyond the last pegs of {mover}.",
            code="visavis.peg",
        )
    return IllegalMove(
        f"{place} is a bare corner: no two pegs have their middle there.", code="visavis.corner"
    )
