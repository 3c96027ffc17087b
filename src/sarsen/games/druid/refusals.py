"""Say why a move is refused: which rule, which square, and a move near it that works."""

from __future__ import annotations

from collections.abc import Sequence

from sarsen.core.errors import IllegalMove
from sarsen.games.druid.board import SIDES, Fault, Lintel, Monument, Piece, column_row
from sarsen.games.druid.notation import Move, Word, square_name, write_move

CODES = {
    Fault.ENEMY_BELOW: "druid.sarsen-on-enemy",
    Fault.GROUND_BELOW: "druid.lintel-ground",
    Fault.ENEMY_END: "druid.lintel-ends",
    Fault.UNEVEN_ENDS: "druid.lintel-level",
    Fault.MIDDLE_TOO_HIGH: "druid.lintel-middle",
    Fault.GAP: "druid.lintel-gap",
    Fault.NOT_EXACT: "druid.lintel-exact",
}


def refusal(
    fault: Fault, monument: Monument, piece: Piece, side: int, legal: Sequence[Move]
) -> IllegalMove:
    """Refuse a piece for a fault of its place."""
    if isinstance(piece, Lintel):
        text = _lintel_text(fault, monument, piece, side)
    else:
        text = (
            f"{SIDES[side]} builds on the ground or on its own stones; "
            f"the top stone on {square_name(piece.square)} is {SIDES[1 - side]}'s."
        )
    return IllegalMove(text, code=CODES[fault], hint=hint(piece, legal))


def opening_refusal(legal: Sequence[Move], wish: Move) -> IllegalMove:
    """Refuse a first stone that is no sarsen or lies inside the site."""
    return IllegalMove(
        "The first stone is a sarsen on a square at the edge of the site.",
        code="druid.opening",
        hint=hint(wish, legal),
    )


def off_site_refusal(wish: Piece, legal: Sequence[Move]) -> IllegalMove:
    """Refuse a piece that reaches over the edge of the site."""
    return IllegalMove(
        f"{write_move(wish)} reaches beyond the edge of the site.",
        code="druid.off-board",
        hint=hint(wish, legal),
    )


def pass_refusal(legal: Sequence[Move]) -> IllegalMove:
    """Refuse to pass while there is something to build."""
    return IllegalMove(
        "You may pass only when you can place no stone at all.",
        code="druid.pass",
        hint=hint(legal[0], legal),
    )


def swap_refusal(is_agreed: bool, legal: Sequence[Move]) -> IllegalMove:
    """Refuse to swap, in a match without the option or at another time."""
    text, code = "This match was agreed without -swap: the sides stay.", "druid.swap-not-agreed"
    if is_agreed:
        text, code = "Sides change only in answer to the first stone.", "druid.swap-time"
    return IllegalMove(text, code=code, hint=hint(legal[0], legal))


def hint(wish: Move, legal: Sequence[Move]) -> str:
    """Name the legal move most like the one wished for: its kind first, then its place."""

    def unlike(move: Move) -> tuple[bool, int]:
        return type(move) is not type(wish), _distance(move, wish)

    return f"For example: {write_move(min(legal, key=unlike))}"


def _distance(one: Move, other: Move) -> int:
    if isinstance(one, Word) or isinstance(other, Word):
        return 0
    return sum(
        abs(a - b)
        for square, target in zip(one.squares, other.squares, strict=False)
        for a, b in zip(column_row(square), column_row(target), strict=True)
    )


def _lintel_text(fault: Fault, monument: Monument, lintel: Lintel, side: int) -> str:
    first, middle, last = (square_name(square) for square in lintel.squares)
    heights = [monument.heights[square] for square in lintel.squares]
    match fault:
        case Fault.GROUND_BELOW:
            bare = first if not heights[0] else last
            return f"A lintel needs a stone below each end; there is none on {bare}."
        case Fault.ENEMY_END:
            wrong = first if monument.owner(lintel.start) != side else last
            return f"A lintel needs your own stone below each end; {wrong} is {SIDES[1 - side]}'s."
        case Fault.UNEVEN_ENDS:
            return (
                f"A lintel lies flat: its ends must be equally high, "
                f"but {first} has height {heights[0]} and {last} has {heights[2]}."
            )
        case Fault.MIDDLE_TOO_HIGH:
            return (
                f"A lintel lies flat on its ends at height {heights[0]}; "
                f"{middle} between them is {heights[1]} high."
            )
        case Fault.GAP:
            return (
                f"With -nogaps a lintel may not span a gap: {middle} must be built "
                f"to height {heights[0]} first, and has {heights[1]}."
            )
        case _:
            return (
                "With -exact a lintel rests on exactly two stones of your own; "
                f"below {first}-{last} {_bearing(monument, lintel, side)}."
            )


def _bearing(monument: Monument, lintel: Lintel, side: int) -> str:
    bed = monument.heights[lintel.start]
    own = sum(
        monument.owner(square) == side and monument.heights[square] == bed
        for square in lintel.squares
    )
    return ("there is none", "there is only one", "there are two", "there are three")[own]
