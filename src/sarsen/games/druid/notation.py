"""Read and write moves: `c3`, `b2-b4`, `pass`, `swap`."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from sarsen.core.errors import IllegalMove, UnreadableMove
from sarsen.core.phrases import listed, quoted
from sarsen.games.druid.board import (
    EAST,
    LARGEST,
    NORTH,
    Lintel,
    Piece,
    Sarsen,
    column_row,
    site,
)


class Word(Enum):
    """A move that places no stone."""

    PASS = "pass"  # noqa: S105  (no password, whatever the linter thinks)
    SWAP = "swap"


Move = Sarsen | Lintel | Word

_SQUARE = re.compile(r"([a-z])([0-9]{1,3})")
_COORDINATES = re.compile(r"[a-z][0-9]{1,3}(?:-?[a-z][0-9]{1,3}){0,2}")


@lru_cache(NORTH * LARGEST)  # a page names each square of its board three times
def square_name(square: int) -> str:
    """Name a square: a letter from the left, a number from the bottom."""
    column, row = column_row(square)
    return f"{chr(ord('a') + column)}{row + 1}"


def write_move(move: Move) -> str:
    """Write a move in its one full form. The pair of `read_move`."""
    match move:
        case Word():
            return move.value
        case Sarsen():
            return square_name(move.square)
        case Lintel():
            first, _, last = move.squares
            return f"{square_name(first)}-{square_name(last)}"


def read_move(text: str, size: int) -> Move:
    """Read a move, forgiving case, blanks, a missing dash and a named middle square.

    Raises:
        UnreadableMove: The text is none of the four forms.
        IllegalMove: It names a square off the site, or squares no lintel can span.
    """
    plain = "".join(text.split()).lower()
    if plain in ("pass", "swap"):
        return Word(plain)
    if not _COORDINATES.fullmatch(plain):
        raise _unreadable(text, plain)
    squares = [_read_square(name, size) for name in _SQUARE.findall(plain)]
    if len(squares) == 1:
        return Sarsen(squares[0])
    return _read_lintel(plain, sorted(squares), size)


def _unreadable(text: str, plain: str) -> UnreadableMove:
    parts = plain.split("-")
    wrong = next((part for part in parts if not _SQUARE.fullmatch(part)), plain)
    if not parts[1:] and text.split()[1:]:
        wrong = text.strip()  # with its blanks, as its writer knows it
    return UnreadableMove(
        "{typed} is not a move: name a square for a sarsen, the two ends of a lintel, "
        "`pass` or `swap`.",
        code="druid.unreadable-move",
        typed=quoted(wrong or text),
    )


def _read_square(name: tuple[str, str], size: int) -> int:
    column, row = ord(name[0]) - ord("a"), int(name[1]) - 1
    if column < size and 0 <= row < size:
        return NORTH * row + column
    last = square_name(NORTH * (size - 1) + size - 1)
    raise IllegalMove(
        "There is no square {square} here: the board runs from a1 to {last}.",
        code="druid.off-board",
        square="".join(name),
        last=last,
    )


def _read_lintel(plain: str, squares: list[int], size: int) -> Lintel:
    first, last = squares[0], squares[-1]
    for step in (EAST, NORTH):
        lintel = Lintel(first, step)
        if last == first + 2 * step and set(squares) <= set(lintel.squares):
            return lintel
    places = _reachable(first, size)
    if not places:  # the middle of the smallest site
        raise IllegalMove(
            "A lintel spans three squares in a straight line; {move} does not name the two "
            "ends of such a line. No lintel ends at {first} here.",
            code="druid.lintel-shape",
            move=plain,
            first=square_name(first),
        )
    raise IllegalMove(
        "A lintel spans three squares in a straight line; {move} does not name the two "
        "ends of such a line. From {first} a lintel can reach {places}.",
        code="druid.lintel-shape",
        move=plain,
        first=square_name(first),
        places=listed(places, "or"),
    )


def _reachable(end: int, size: int) -> list[str]:
    on_site = site(size).every
    others = [end + 2 * step for step in (-NORTH, -EAST, EAST, NORTH)]
    return [square_name(square) for square in others if square >= 0 and on_site >> square & 1]


def is_on_site(piece: Piece, size: int) -> bool:
    """Return whether all squares of a piece belong to the site."""
    return all(square >= 0 and site(size).every >> square & 1 for square in piece.squares)
