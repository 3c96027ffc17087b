"""Reasons to refuse a move: which rule, which square, and a move near it that works."""

from __future__ import annotations

from collections.abc import Sequence

from sarsen.core.errors import IllegalMove
from sarsen.core.phrases import Phrase, for_example
from sarsen.games.druid.board import SIDES, Lintel, Monument, Piece, PlacementFault, column_row
from sarsen.games.druid.notation import Move, Word, square_name, write_move

CODES = {
    PlacementFault.ENEMY_BELOW: "druid.sarsen-on-enemy",
    PlacementFault.GROUND_BELOW: "druid.lintel-ground",
    PlacementFault.ENEMY_END: "druid.lintel-ends",
    PlacementFault.UNEVEN_ENDS: "druid.lintel-level",
    PlacementFault.MIDDLE_TOO_HIGH: "druid.lintel-middle",
    PlacementFault.GAP: "druid.lintel-gap",
    PlacementFault.NOT_EXACT: "druid.lintel-exact",
}


def refusal(
    fault: PlacementFault, monument: Monument, piece: Piece, side: int, legal: Sequence[Move]
) -> IllegalMove:
    """Refuse a piece for a fault of its place."""
    if isinstance(piece, Lintel):
        text = _lintel_text(fault, monument, piece, side)
    else:
        text = Phrase(
            "{side} builds on the ground or on its own stones; the top stone on "
            "{square} is {other}'s.",
            side=SIDES[side],
            square=square_name(piece.square),
            other=SIDES[1 - side],
        )
    return IllegalMove(text, code=CODES[fault], hint=hint(piece, legal))


def opening_refusal(legal: Sequence[Move], move: Move) -> IllegalMove:
    """Refuse a first stone that is no sarsen or lies inside the site."""
    return IllegalMove(
        "The first stone must be a sarsen on an edge square.",
        code="druid.opening",
        hint=hint(move, legal),
    )


def off_site_refusal(piece: Piece, legal: Sequence[Move]) -> IllegalMove:
    """Refuse a piece that reaches over the edge of the site."""
    return IllegalMove(
        "{move} reaches beyond the edge of the board.",
        code="druid.off-board",
        hint=hint(piece, legal),
        move=write_move(piece),
    )


def pass_refusal(legal: Sequence[Move]) -> IllegalMove:
    """Refuse to pass while there is something to build."""
    return IllegalMove(
        "You may pass only when you cannot place a stone.",
        code="druid.pass",
        hint=hint(legal[0], legal),
    )


def swap_refusal(is_agreed: bool, legal: Sequence[Move]) -> IllegalMove:
    """Refuse to swap, in a match without the option or at another time."""
    text, code = (
        Phrase("This game is played without swap: you cannot swap sides."),
        "druid.swap-not-agreed",
    )
    if is_agreed:
        text, code = (
            Phrase("You can swap sides only in answer to the first stone."),
            "druid.swap-time",
        )
    return IllegalMove(text, code=code, hint=hint(legal[0], legal))


def hint(refused: Move, legal: Sequence[Move]) -> str:
    """Name the legal move most like the one wished for: its kind first, then its place."""

    def unlike(move: Move) -> tuple[bool, int]:
        return type(move) is not type(refused), _distance(move, refused)

    return for_example(write_move(min(legal, key=unlike)))


def _distance(move: Move, other: Move) -> int:
    if isinstance(move, Word) or isinstance(other, Word):
        return 0
    return sum(
        abs(a - b)
        for square, target in zip(move.squares, other.squares, strict=False)
        for a, b in zip(column_row(square), column_row(target), strict=True)
    )


def _lintel_text(fault: PlacementFault, monument: Monument, lintel: Lintel, side: int) -> str:
    first, middle, last = (square_name(square) for square in lintel.squares)
    heights = [monument.heights[square] for square in lintel.squares]
    match fault:
        case PlacementFault.GROUND_BELOW:
            bare = first if not heights[0] else last
            return Phrase(
                "A lintel needs a stone below each end; there is none on {square}.", square=bare
            )
        case PlacementFault.ENEMY_END:
            wrong = first if monument.owner(lintel.start) != side else last
            return Phrase(
                "A lintel needs your own stone below each end; {square} is {other}'s.",
                square=wrong,
                other=SIDES[1 - side],
            )
        case PlacementFault.UNEVEN_ENDS:
            return Phrase(
                "A lintel lies flat: its ends must be equally high, but {first} has height "
                "{height} and {last} has {other}.",
                first=first,
                height=heights[0],
                last=last,
                other=heights[2],
            )
        case PlacementFault.MIDDLE_TOO_HIGH:
            return Phrase(
                "A lintel lies flat: it would be at height {height}, but {middle} in the middle "
                "is already {found} high.",
                height=heights[0],
                middle=middle,
                found=heights[1],
            )
        case PlacementFault.GAP:
            return Phrase(
                "Here a lintel may not span a gap: {middle} must be built to height {height} "
                "first, and has {found}.",
                middle=middle,
                height=heights[0],
                found=heights[1],
            )
        case _:
            return Phrase(
                "Here a lintel rests on exactly two stones of your own; below {first}-{last} "
                "{bearing}.",
                first=first,
                last=last,
                bearing=_bearing(monument, lintel, side),
            )


def _bearing(monument: Monument, lintel: Lintel, side: int) -> str:
    bed = monument.heights[lintel.start]
    own = sum(
        monument.owner(square) == side and monument.heights[square] == bed
        for square in lintel.squares
    )
    return (
        Phrase("there is none"),
        Phrase("there is only one"),
        Phrase("there are two"),
        Phrase("there are three"),
    )[own]
