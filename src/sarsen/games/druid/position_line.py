"""A position of Druid as one line of ASCII, which holds all that its rules need."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.options import read_options
from sarsen.core.phrases import Phrase, for_example, quoted
from sarsen.games.druid.board import (
    OPTIONS,
    SIDES,
    H,
    Monument,
    Sarsen,
    Stone,
    Terms,
    V,
    empty_site,
    site,
    terms_of,
)
from sarsen.games.druid.notation import Word, read_move, write_move

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
        raise _lines_unreadable(Phrase("it is longer than {most} characters", most=MAX_LINE))
    fields = line.split(";")
    if len(fields) != 4:
        raise _lines_unreadable(Phrase("four fields are wanted, with semicolons between them"))
    options, ply, words, stones = fields
    terms = _read_terms(options)
    if not re.fullmatch(r"[0-9]{1,4}", ply):
        raise _lines_unreadable(Phrase("{typed} is no number of plies", typed=quoted(ply)))
    passes = words.split().count("passed")
    monument = _build(terms, stones.split())
    record = DruidLine(terms, int(ply), "swapped" in words, passes, monument)
    _check(record)
    # One spelling only: it catches blanks, zeros, options and stones out of order at once.
    if write(record) != line:
        raise _lines_unreadable(Phrase("it is not written as this server writes positions"))
    return record


def _read_terms(options: str) -> Terms:
    try:
        return terms_of(read_options(OPTIONS, options))
    except UserError as refusal:
        raise _unreadable_part(refusal) from refusal


def _build(terms: Terms, words: list[str]) -> Monument:
    if len(words) > terms.most_plies:
        raise _lines_unreadable(Phrase("there are more stones than plies"))
    monument = empty_site(terms.size)
    for word in words:
        if not _STONE.fullmatch(word):
            raise _lines_unreadable(Phrase("{typed} is no stone", typed=quoted(word)))
        monument = _add(monument, terms, word)
    return monument


def _add(monument: Monument, terms: Terms, word: str) -> Monument:
    side = SIDES.index(word[0])
    try:
        piece = read_move(word[1:], terms.size)
    except UserError as refusal:
        raise _unreadable_part(refusal) from refusal
    if isinstance(piece, Word) or monument.fault(piece, side, terms):
        raise _lines_unreadable(Phrase("the stone {stone} has nothing to stand on", stone=word))
    return monument.put(piece, side)


def _check(record: DruidLine) -> None:
    """Refuse plies, swaps and passes that no game could have had with these stones."""
    terms, stones = record.terms, record.monument.stones
    if record.ply > terms.most_plies:
        raise _lines_unreadable(
            Phrase("a game on this size has at most {most} plies", most=terms.most_plies)
        )
    if record.is_swapped and (not terms.swap or record.ply < 2):
        raise _lines_unreadable(Phrase("the sides cannot have been swapped"))
    turns = record.ply - record.is_swapped
    passed = [
        turn - sum(stone.side == side for stone in stones)
        for side, turn in ((V, (turns + 1) // 2), (H, turns // 2))
    ]
    if min(passed) < 0 or record.passes > min(2, sum(passed)):
        raise _lines_unreadable(Phrase("the stones do not fit the number of plies"))
    tops = record.monument.tops
    if sum(passed) and tops[V] | tops[H] != site(terms.size).every:
        raise _lines_unreadable(Phrase("nobody can have passed while a square is bare"))
    if stones and not any(_could_open(stone, terms) for stone in stones):
        raise _lines_unreadable(Phrase("V's opening stone at the edge is missing"))


def _could_open(stone: Stone, terms: Terms) -> bool:
    is_low_sarsen = stone.level == 0 and isinstance(stone.piece, Sarsen)
    return is_low_sarsen and stone.side == V and bool(site(terms.size).edge >> stone.start & 1)


def _lines_unreadable(reason: Phrase) -> UserError:
    return UserError(
        "This is not a position of Druid: {reason}.",
        code="druid.unreadable-position",
        hint=for_example(EXAMPLE),
        reason=reason,
    )


def _unreadable_part(refusal: UserError) -> UserError:
    """Return the refusal of a line with a part that is refused by a sentence of its own."""
    return UserError(
        "This is not a position of Druid. {refusal}",
        code="druid.unreadable-position",
        hint=for_example(EXAMPLE),
        refusal=refusal.text,
    )
