"""A position of Visavis as one line of ASCII."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.options import Options, read_options
from sarsen.core.phrases import Phrase, for_example, quoted
from sarsen.games.visavis.board import (
    OPTIONS,
    SIDES,
    O,
    VisavisBoard,
    X,
    board_of,
    joins_sides,
)

MAX_LINE = 1000  # characters; the largest board takes 25 rows of at most 26, and its options
EXAMPLE = "-size=5;;5/3o1/5/5/5"

_ROW = re.compile(r"(?:[1-9][0-9]?|[ox])+")
_PART = re.compile(r"[0-9]+|[ox]")


@dataclass(frozen=True, slots=True)
class VisavisLine:
    """The position that a line describes."""

    options: Options
    is_swapped: bool
    bridges: tuple[int, int]


def write(record: VisavisLine) -> str:
    """Write a record as one line of ASCII. The pair of `read`."""
    board = board_of(record.options.number("size"))
    rows = [["."] * board.size for _ in range(board.size)]
    for side in (O, X):
        for column, row in board.coordinates(record.bridges[side]):
            rows[row - 1][column - 1] = SIDES[side].lower()
    row_texts = "/".join(map("".join, rows))
    packed = re.sub(r"\.+", lambda blanks: str(len(blanks[0])), row_texts)
    return f"{record.options.write()};{'swapped' * record.is_swapped};{packed}"


def read(line: str) -> VisavisLine:
    """Read a line exactly as `write` would write it.

    Raises:
        UserError: It is no such line, or no game leads there.
    """
    if len(line) > MAX_LINE:
        raise _unreadable(Phrase("it is longer than {most} characters", most=MAX_LINE))
    fields = line.split(";")
    if len(fields) != 3:
        raise _unreadable(Phrase("three fields are wanted, with semicolons between them"))
    options = _read_options(fields[0])
    board = board_of(options.number("size"))
    record = VisavisLine(options, fields[1] == "swapped", _read_rows(board, fields[2]))
    # One spelling only: it catches blanks, zeros and unknown words at once.
    if write(record) != line:
        raise _unreadable(Phrase("it is not written as this server writes positions"))
    _check(board, record)
    return record


def _read_options(text: str) -> Options:
    try:
        return read_options(OPTIONS, text)
    except UserError as refusal:
        raise _unreadable_part(refusal) from refusal


def _read_rows(board: VisavisBoard, text: str) -> tuple[int, int]:
    rows = text.split("/")
    if len(rows) != board.size:
        raise _unreadable(
            Phrase("{size} rows are wanted, with a stroke between them", size=board.size)
        )
    bridges = [0, 0]
    for row, packed in enumerate(rows, start=1):
        if not _ROW.fullmatch(packed):
            raise _unreadable(Phrase("{typed} is no row", typed=quoted(packed)))
        column = 1
        for part in _PART.findall(packed):
            if part.isdigit():
                column += int(part)
                continue
            if column > board.size:
                raise _unreadable(Phrase("row {row} is too long", row=row))
            side = SIDES.index(part.upper())
            bridges[side] |= board.place(side, (column, row))
            column += 1
    return bridges[O], bridges[X]


def _check(board: VisavisBoard, record: VisavisLine) -> None:
    """Refuse bridges and swaps that no game could have led to."""
    bridges = record.bridges
    ahead = bridges[O].bit_count() - bridges[X].bit_count()
    if ahead not in (0, 1):
        raise _unreadable(
            Phrase("O moves first and the sides take turns; the bridges do not fit that")
        )
    if board.crossed(O, bridges[O]) & bridges[X]:
        raise _unreadable(Phrase("two bridges cross"))
    last = O if ahead else X
    if joins_sides(board, 1 - last, bridges[1 - last]):
        raise _unreadable(Phrase("the game went on after a side had won"))
    if record.is_swapped and not (record.options.flag("swap") and bridges[O]):
        raise _unreadable(Phrase("the sides cannot have been swapped"))


def _unreadable(reason: Phrase) -> UserError:
    return UserError(
        "This is not a position of Visavis: {reason}.",
        code="visavis.unreadable-position",
        hint=for_example(EXAMPLE),
        reason=reason,
    )


def _unreadable_part(refusal: UserError) -> UserError:
    """Return the refusal of a line with a part that is refused by a sentence of its own."""
    return UserError(
        "This is not a position of Visavis. {refusal}",
        code="visavis.unreadable-position",
        hint=for_example(EXAMPLE),
        refusal=refusal.text,
    )
