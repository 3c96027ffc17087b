"""Collections: records one after another in a file, of both forms, told apart line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.records import as_json, text
from sarsen.core.records.record import InvalidRecord, Record
from sarsen.core.records.text import MAX_READ
from sarsen.core.renamed import renamed

_BEGINS = "sarsen-record:"


@dataclass(frozen=True)
class RecordText:
    """The text of one record of a collection.

    Attributes:
        line: In which it begins, counted from 1.
        text: At most one character more than a record may have; `text.read` refuses that one.
    """

    line: int
    text: str

    def read(self, find: Callable[[str], Game]) -> Record:
        """Read the record, of whichever form it is.

        Raises:
            UserError: It is none.
        """
        reader = as_json.read_line if self._is_json else text.read
        return reader(self.text, find)

    def line_of(self, refusal: UserError) -> int:
        """Return the line of the collection that a refusal of this record is about."""
        if self._is_json or not isinstance(refusal, InvalidRecord):
            return self.line
        line = refusal.line
        if refusal.ply:
            lines = self.text.split("\n")
            plies = (number for number, one in enumerate(lines, 1) if one.lstrip()[:1].isdigit())
            line = next(islice(plies, refusal.ply - 1, None), 0)
        return self.line + max(line, 1) - 1

    @property
    def _is_json(self) -> bool:
        return self.text.startswith("{")


def lines_of(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file, the end of one that is too long for any record cut off."""
    while line := file.readline(MAX_READ + 1):
        yield line
        tail = line
        while tail and not tail.endswith("\n"):
            tail = file.readline(MAX_READ + 1)


def split(lines: Iterable[str]) -> Iterator[RecordText]:
    """Part a collection into its records, holding no more than one of them at a time.

    A line that begins with `{` is a record of the JSON form; `sarsen-record:` begins one
    of the text form. Text before the first of either is a piece, too, unless it is
    blank or a comment: nothing is passed over.
    """
    begun, length = 1, 0
    held: list[str] = []
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix("\ufeff") if number == 1 else raw
        start = line.lstrip()
        is_json = start.startswith("{")
        if is_json or start.startswith(_BEGINS):
            yield from _piece(begun, held)
            begun, held, length = number, [], 0
        if is_json:
            yield RecordText(number, start[: MAX_READ + 1].rstrip())
            begun = number + 1
        elif length <= MAX_READ:
            # The lines of a piece keep their places, so that a refusal can name one.
            held.append(line[: MAX_READ + 1 - length])
            length += len(line)
    yield from _piece(begun, held)


def _piece(begun: int, held: list[str]) -> Iterator[RecordText]:
    if any(line.strip() and not line.lstrip().startswith("#") for line in held):
        yield RecordText(begun, "".join(held))


__getattr__ = renamed(__name__, {"Piece": f"{__name__}.RecordText"})
