"""Read and write moves: `c3`, `b2-b4`, `pass`, `swap`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.options import read_options
from sarsen.core.phrases import for_example, listed, quoted
from sarsen.games.druid.board import (
    EAST,
    NORTH,
    OPTIONS,
    SIDES,
    H,
    Lintel,
    Monument,
    Piece,
    Sarsen,
    Stone,
    Terms,
    V,
    column_row,
    empty_site,
    site,
    terms_of,
)


class Word(Enum):
    """A move that places no stone."""

    PASS = "pass"  # noqa: S105  (no password, whatever the linter thinks)
    SWAP = "swap"


Move = Sarsen | Lintel | Word

_SQUARE = re.compile(r"([a-z])([0-9]{1,3})")
_COORDINATES = re.compile(r"[a-z][0-9]{1,3}(?:-?[a-z][0-9]{1,3}){0,2}")


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
    wrong = next((part for part in plain.split("-") if not _SQUARE.fullmatch(part)), plain)
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
        "There is no square {square} here: the site goes from a1 to {last}.",
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


MAX_LINE = 20_000  # characters; 1440 lintels on the largest site take less
EXAMPLE = "-size=4;3;;Va1 Hb2 Vc3"

_STONE = re.compile(r"[VH][a-l][0-9]{1,2}(?:-[a-l][0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class DruidLine:
    """The position that a line describes.

    Attributes:
        passes: How many passes in a row the last moves were.
    """

    terms: Terms
    ply: int
    is_swapped: bool
    passes: int
    monument: Monument


def write(record: DruidLine) -> str:
    """Write a record as one line of ASCII. The pair of `read`."""
    words = ["swapped"] * record.is_swapped + ["passed"] * record.passes
    stones = [SIDES[stone.side] + write_move(stone.piece) for stone in record.monument.stones]
    options = record.terms.options().write()
    return f"{options};{record.ply};{' '.join(words)};{' '.join(stones)}"


def read(line: str) -> DruidLine:
    """Read a line exactly as `write` would write it.

    Raises:
        UserError: It is no such line, or no game leads there.
    """
    if len(line) > MAX_LINE:
        raise _lines_unreadable(f"it is longer than {MAX_LINE} characters")
    fields = line.split(";")
    if len(fields) != 4:
        raise _lines_unreadable("four fields are wanted, with semicolons between them")
    options, ply, words, stones = fields
    terms = _read_terms(options)
    if not re.fullmatch(r"[0-9]{1,4}", ply):
        raise _lines_unreadable(f"{ply!r} is no number of plies")
    passes = words.split().count("passed")
    monument = _build(terms, stones.split())
    record = DruidLine(terms, int(ply), "swapped" in words, passes, monument)
    _check(record)
    # One spelling only: it catches blanks, zeros, options and stones out of order at once.
    if write(record) != line:
        raise _lines_unreadable("it is not written as this server writes positions")
    return record


def _read_terms(options: str) -> Terms:
    try:
        return terms_of(read_options(OPTIONS, options))
    except UserError as refusal:
        raise _lines_unreadable(refusal.text) from refusal


def _build(terms: Terms, words: list[str]) -> Monument:
    if len(words) > terms.most_plies:
        raise _lines_unreadable("there are more stones than plies")
    monument = empty_site(terms.size)
    for word in words:
        if not _STONE.fullmatch(word):
            raise _lines_unreadable(f"{word!r} is no stone")
        monument = _add(monument, terms, word)
    return monument


def _add(monument: Monument, terms: Terms, word: str) -> Monument:
    side = SIDES.index(word[0])
    try:
        piece = read_move(word[1:], terms.size)
    except UserError as refusal:
        raise _lines_unreadable(refusal.text) from refusal
    if isinstance(piece, Word) or monument.fault(piece, side, terms):
        raise _lines_unreadable(f"the stone {word} has nothing to stand on")
    return monument.put(piece, side)


def _check(record: DruidLine) -> None:
    """Refuse plies, swaps and passes that no game could have had with these stones."""
    terms, stones = record.terms, record.monument.stones
    if record.ply > terms.most_plies:
        raise _lines_unreadable(f"a game on this size has at most {terms.most_plies} plies")
    if record.is_swapped and (not terms.swap or record.ply < 2):
        raise _lines_unreadable("the sides cannot have been swapped")
    turns = record.ply - record.is_swapped
    passed = [
        turn - sum(stone.side == side for stone in stones)
        for side, turn in ((V, (turns + 1) // 2), (H, turns // 2))
    ]
    if min(passed) < 0 or record.passes > min(2, sum(passed)):
        raise _lines_unreadable("the stones do not fit the number of plies")
    tops = record.monument.tops
    if sum(passed) and tops[V] | tops[H] != site(terms.size).every:
        raise _lines_unreadable("nobody can have passed while a square is bare")
    if stones and not any(_could_open(stone, terms) for stone in stones):
        raise _lines_unreadable("V's opening stone at the edge is missing")


def _could_open(stone: Stone, terms: Terms) -> bool:
    is_low_sarsen = stone.level == 0 and isinstance(stone.piece, Sarsen)
    return is_low_sarsen and stone.side == V and bool(site(terms.size).edge >> stone.start & 1)


def _lines_unreadable(reason: str) -> UserError:
    return UserError(
        "This is not a position of Druid: {reason}.",
        code="druid.unreadable-position",
        hint=for_example(EXAMPLE),
        reason=reason,
    )
