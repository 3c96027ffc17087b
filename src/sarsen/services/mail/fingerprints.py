"""Fingerprints of the letters that were sent, by which their words are known in a reply.

A program quotes a letter with marks or without, wraps its lines anew and makes text of its HTML,
but it keeps the order of the words. So each three neighbouring words of a letter are kept as one
number of 32 bits: enough to know them again, and nothing from which the letter could be read.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, pairwise
from typing import AnyStr
from zlib import crc32

from sarsen.language.grammar.typography import normalise_rows

# Words that are known together: two are the same by chance, and programs wrap rows anywhere.
NEIGHBOURS = 3
MAX_FINGERPRINTS = 4_000  # of one letter, 16 kB; what is longer is known by its beginning
MIN_SHARE = 0.7  # of the characters of a row: a program adds marks, addresses and pictures
_WORD = re.compile(r"[^\W_]+")
# For text in ASCII, in a tenth of the time: letters and digits as `words_of` finds them,
# and what `normalise` leaves out.
_LETTERS = bytes(ord(chr(code).lower() if chr(code).isalnum() else " ") for code in range(128))
_LETTERS = _LETTERS.ljust(256)
_INVISIBLE = bytes({*range(9), *range(14, 32), 127})
# What a letter repeats of its reader, and what it teaches to type, may well be typed again.
_TYPED_AGAIN = re.compile(r"> | {4}\S+(?: \S+)*$")


@dataclass(frozen=True)
class Fingerprints:
    """Those of one letter or of several."""

    numbers: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.numbers)

    def __or__(self, other: Fingerprints) -> Fingerprints:
        return Fingerprints(self.numbers | other.numbers)

    def known_rows(
        self, words: Sequence[Sequence[str]], min_share: float = MIN_SHARE
    ) -> list[bool]:
        """Return which rows of a text, given by their words, are the letter's.

        Args:
            min_share: How much of a row must be known.
        """
        flat = [word for row_words in words for word in row_words]
        known = [False] * len(flat)
        for at, number in enumerate(map(_number, _neighbours(flat))):
            if number in self.numbers:
                known[at : at + NEIGHBOURS] = [True] * NEIGHBOURS
        result, at = [], 0
        for row_words in words:
            shares = zip(row_words, known[at : at + len(row_words)], strict=True)
            covered = sum(len(word) for word, is_known in shares if is_known)
            result.append(covered > 0 and covered >= min_share * sum(map(len, row_words)))
            at += len(row_words)
        return result

    def has_joint(self, above: Sequence[str], below: Sequence[str]) -> bool:
        """Return whether the letter's words go on so from one row to another."""
        joint = [*above[1 - NEIGHBOURS :], *below[: NEIGHBOURS - 1]]
        return any(_number(group) in self.numbers for group in _neighbours(joint))


NO_FINGERPRINTS = Fingerprints()


def words_of(text: str) -> list[str]:
    """Return the words of normalised text as they are compared."""
    return _WORD.findall(text.casefold())


def telling_words(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return how many words of each row show whose it is.

    None do in a board, and in what is written right above and below one: a board is no secret, and
    people send boards to each other.

    Args:
        rows: The words of each row; an empty row and a drawing of signs have none.
    """
    is_drawn = [
        bool(row) and all(len(set(word)) == 1 or word.isdigit() for word in row) for row in rows
    ]
    filled = [at for at, row in enumerate(rows) if row]
    beside = {
        at
        for above, below in pairwise(filled)
        for at in (above, below)
        if is_drawn[above] or is_drawn[below]
    }
    return [0 if at in beside else len(row) for at, row in enumerate(rows)]


def encode(texts: Iterable[str], *, repeats: str = "") -> bytes:
    """Return the fingerprints of texts of a letter, as they are stored.

    Args:
        repeats: Rows of its reader's own, which are left out.
    """
    groups: dict[tuple[bytes, ...], None] = {}
    own = {tuple(_encoded_words([row])) for row in repeats.splitlines()}
    for text in texts:
        rows = [row for row in text.splitlines() if not _is_typed_again(row)]
        if own:
            rows = [row for row in rows if tuple(_encoded_words([row])) not in own]
        # A board repeats itself: only groups that differ are counted, and hashed.
        groups |= dict.fromkeys(_neighbours(_encoded_words(rows)))
    numbers = dict.fromkeys(map(crc32, map(b" ".join, islice(groups, MAX_FINGERPRINTS))))
    return array("I", numbers).tobytes()


def decode(stored: bytes) -> Fingerprints:
    numbers = array("I")
    numbers.frombytes(stored)
    return Fingerprints(frozenset(numbers))


def _is_typed_again(row: str) -> bool:
    # Few rows begin so: to see that takes a third of a match.
    return row.startswith(("> ", "    ")) and _TYPED_AGAIN.match(row) is not None


def _encoded_words(rows: Iterable[str]) -> list[bytes]:
    """Return the words of rows, normalised and as they are compared, in UTF-8."""
    words: list[bytes] = []
    for is_ascii, run in groupby(rows, str.isascii):
        if is_ascii:
            words += "\n".join(run).encode("ascii").translate(_LETTERS, _INVISIBLE).split()
        else:
            text = "\n".join(normalise_rows(run))
            words += [word.encode("utf-8", "replace") for word in words_of(text)]
    return words


def _neighbours(words: Sequence[AnyStr]) -> Iterator[tuple[AnyStr, ...]]:
    return zip(*(words[at:] for at in range(NEIGHBOURS)), strict=False)


def _number(group: tuple[str, ...]) -> int:
    return crc32(" ".join(group).encode("utf-8", "replace"))
