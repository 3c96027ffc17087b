"""Fingerprints of the letters that were sent, by which their words are known in a reply.

A program quotes a letter with marks or without, wraps its lines anew and makes text of its HTML,
but it keeps the order of the words. So each three neighbouring words of a letter are kept as one
number of 32 bits: enough to know them again, and nothing from which the letter could be read.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from sarsen.language.grammar.typography import normalise_rows

# Words that are known together: two are the same by chance, and programs wrap rows anywhere.
NEIGHBOURS = 3
MAX_FINGERPRINTS = 4_000  # of one letter, 16 kB; what is longer is known by its beginning
MIN_SHARE = 0.7  # of the characters of a row: a program adds marks, addresses and pictures
_WORD = re.compile(r"[^\W_]+")
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
        for at, number in enumerate(_numbers(flat)):
            if number in self.numbers:
                known[at : at + NEIGHBOURS] = [True] * NEIGHBOURS
        result, at = [], 0
        for row_words in words:
            shares = zip(row_words, known[at : at + len(row_words)], strict=True)
            covered = sum(len(word) for word, is_known in shares if is_known)
            result.append(covered > 0 and covered >= min_share * sum(map(len, row_words)))
            at += len(row_words)
        return result


NO_FINGERPRINTS = Fingerprints()


def words_of(row: str) -> list[str]:
    """Return the words of a normalised row as they are compared."""
    return _WORD.findall(row.casefold())


def encode(texts: Iterable[str], *, repeats: str = "") -> bytes:
    """Return the fingerprints of texts of a letter, as they are stored.

    Args:
        repeats: Rows of its reader's own, which are left out.
    """
    numbers: list[int] = []
    own = {tuple(words_of(row)) for row in normalise_rows(repeats.splitlines())}
    for text in texts:
        lines = [row for row in text.splitlines() if not _TYPED_AGAIN.match(row)]
        rows = map(words_of, normalise_rows(lines))
        numbers += _numbers([word for row in rows if tuple(row) not in own for word in row])
    return array("I", dict.fromkeys(numbers[:MAX_FINGERPRINTS])).tobytes()


def decode(stored: bytes) -> Fingerprints:
    numbers = array("I")
    numbers.frombytes(stored)
    return Fingerprints(frozenset(numbers))


def _numbers(words: Sequence[str]) -> list[int]:
    neighbours = zip(*(words[at:] for at in range(NEIGHBOURS)), strict=False)
    return [crc32(" ".join(group).encode("utf-8", "replace")) for group in neighbours]
