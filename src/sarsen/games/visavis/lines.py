"""Write a position as one line, and read it back.

`-size=5 -swap;swapped;5/3o1/5/5/5`: the options that are not the defaults; whether
the sides changed hands; and row by row from the top, a letter for the owner of the
bridge at a coordinate, a number for so many coordinates without one. Two bridges at
one coordinate would cross, so a letter is enough; and whose turn it is follows from
the count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.options import Options, read_options
from sarsen.games.visavis.board import SIDES, Board, O, X, board_of
from sarsen.games.visavis.chains import joins_sides
from sarsen.games.visavis.options import OPTIONS

LONGEST_LINE = 1000
EXAMPLE = "-size=5;;5/3o1/5/5/5"

_ROW = re.compile(r"(?:[1-9][0-9]?|[ox])+")
_PART = re.compile(r"[0-9]+|[ox]")


@dataclass(frozen=True, slots=True)
class Record:
    """What a line says."""

    options: Options
    is_swapped: bool
    bridges: tuple[int, int]


def write(record: Record) -> str:
    """Write a record as one line of ASCII. The pair of `read`."""
    board = board_of(record.options.number("size"))
    owner = {
        coordinate: SIDES[side].lower()
        for side in (O, X)
        for coordinate in board.coordinates(record.bridges[side])
    }
    everywhere = range(1, board.size + 1)
    rows = ["".join(owner.get((c, r), ".") for c in everywhere) for r in everywhere]
    packed = re.sub(r"\.+", lambda blanks: str(len(blanks[0])), "/".join(rows))
    return f"{record.options.write()};{'swapped' * record.is_swapped};{packed}"


def read(line: str) -> Record:
    """Read a line exactly as `write` would write it.

    Raises:
        UserError: It is no such line, or no game leads there.
    """
    if len(line) > LONGEST_LINE:
        raise _unreadable(f"it is longer than {LONGEST_LINE} characters")
    fields = line.split(";")
    if len(fields) != 3:
        raise _unreadable("three fields are wanted, with semicolons between them")
    options = _read_options(fields[0])
    board = board_of(options.number("size"))
    record = Record(options, fields[1] == "swapped", _read_rows(board, fields[2]))
    # One spelling only: it catches blanks, zeros and unknown words at once.
    if write(record) != line:
        raise _unreadable("it is not written as this server writes positions")
    _check(board, record)
    return record


def _read_options(text: str) -> Options:
    try:
        return read_options(OPTIONS, text)
    except UserError as refusal:
        raise _unreadable(refusal.text) from refusal


def _read_rows(board: Board, text: str) -> tuple[int, int]:
    rows = text.split("/")
    if len(rows) != board.size:
        raise _unreadable(f"{board.size} rows are wanted, with a stroke between them")
    bridges = [0, 0]
    for row, packed in enumerate(rows, start=1):
        if not _ROW.fullmatch(packed):
            raise _unreadable(f"{packed!r} is no row")
        column = 1
        for part in _PART.findall(packed):
            if part.isdigit():
                column += int(part)
                continue
            if column > board.size:
                raise _unreadable(f"row {row} is too long")
            side = SIDES.index(part.upper())
            bridges[side] |= board.place(side, (column, row))
            column += 1
    return bridges[O], bridges[X]


def _check(board: Board, record: Record) -> None:
    """Refuse bridges and swaps that no game could have led to."""
    bridges = record.bridges
    ahead = bridges[O].bit_count() - bridges[X].bit_count()
    if ahead not in (0, 1):
        raise _unreadable("O moves first and the sides take turns; the bridges do not fit that")
    if board.crossed(O, bridges[O]) & bridges[X]:
        raise _unreadable("two bridges cross")
    last = O if ahead else X
    if joins_sides(board, 1 - last, bridges[1 - last]):
        raise _unreadable("the game went on after a side had won")
    if record.is_swapped and not (record.options.flag("swap") and bridges[O]):
        raise _unreadable("the sides cannot have been swapped")


def _unreadable(reason: str) -> UserError:
    return UserError(
        f"This is not a position of Visavis: {reason}.",
        code="visavis.unreadable-position",
        hint=f"For example: {EXAMPLE}",
    )
