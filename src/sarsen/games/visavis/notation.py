"""Read moves: `D4`, the two pegs `C5-E3`, `swap`."""

from __future__ import annotations

import re

from sarsen.core.errors import IllegalMove, UnreadableMove
from sarsen.core.phrases import listed, quoted
from sarsen.games.visavis.board import (
    LETTERS,
    SIDES,
    Coordinate,
    is_peg,
    joined_pegs,
    name,
)

SWAP = "swap"

_COORDINATE = re.compile(r"([a-z])([0-9]{1,3})")
_PEGS = re.compile(r"([a-z])([0-9]{1,3})-?([a-z])([0-9]{1,3})")


def read_coordinate(text: str, side: int, size: int) -> Coordinate | None:
    """Read where a side wants its bridge, or None for a swap.

    Case and blanks are forgiven. Players who think in pegs may name both, in either order.

    Raises:
        UnreadableMove: The text is none of the three forms.
        IllegalMove: It leaves the board, or names pegs that no bridge of the side joins.
    """
    plain = "".join(text.split()).lower()
    if plain == SWAP:
        return None
    if coordinate := _COORDINATE.fullmatch(plain):
        return _on_board(coordinate[1], coordinate[2], size)
    if peg_pair := _PEGS.fullmatch(plain):
        pegs = _on_board(peg_pair[1], peg_pair[2], size), _on_board(peg_pair[3], peg_pair[4], size)
        return _between(pegs, side, size)
    raise UnreadableMove(
        "{typed} is not a move: name the place of a bridge by its letter and its "
        "number, or the two pegs with a dash between them.",
        code="visavis.unreadable-move",
        typed=quoted(text.strip()),
    )


def _on_board(letter: str, digits: str, size: int) -> Coordinate:
    column, row = LETTERS.find(letter.upper()) + 1, int(digits)
    if 1 <= column <= size and 1 <= row <= size:
        return column, row
    raise IllegalMove(
        "{place} is off the board: the letters go from A to {last}, the numbers from 1 to {size}.",
        code="visavis.off-board",
        place=f"{letter.upper()}{row}",
        last=LETTERS[size - 1],
        size=size,
    )


def _between(pegs: tuple[Coordinate, Coordinate], side: int, size: int) -> Coordinate:
    """Return the midpoint of two adjacent pegs of a side, the coordinate of their bridge."""
    for peg in pegs:
        if not is_peg(side, *peg, size):
            raise IllegalMove(
                "{side} joins its own pegs, and has none at {peg}: its pegs stand in the even "
                "rows, under A, C, E and so on."
                if side == 0
                else "{side} joins its own pegs, and has none at {peg}: its pegs stand in the odd "
                "rows, under C, E, G and so on.",
                code="visavis.not-own-peg",
                side=SIDES[side],
                peg=name(*peg),
            )
    (column, row), (other_column, other_row) = sorted(pegs)
    middle = (column + other_column) // 2, (row + other_row) // 2
    if sorted(joined_pegs(side, *middle)) != sorted(pegs):
        raise IllegalMove(
            "{first} and {second} are not neighbours. From {first} a bridge reaches {places}.",
            code="visavis.not-adjacent",
            first=name(*pegs[0]),
            second=name(*pegs[1]),
            places=_neighbours(pegs[0], side, size),
        )
    return middle


def _neighbours(peg: Coordinate, side: int, size: int) -> str:
    column, row = peg
    steps = ((0, -2), (2, -2), (-2, 0), (2, 0), (-2, 2), (0, 2))
    around = [(column + across, row + down) for across, down in steps]
    return listed([name(*other) for other in around if is_peg(side, *other, size)], "or")
