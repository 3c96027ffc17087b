"""Fingerprints are those of the words that `normalise` and a pattern find, row by row."""

from __future__ import annotations

import re
from array import array
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from sarsen.language.grammar.typography import normalise
from sarsen.services.mail.fingerprints import encode

# Letters of several kinds, marks, and what separates or is not seen.
SIGNS = "aZ09_=-> .,:\n\n\r\t\x00\x1c\x1f\x7f\x85\u2028\u00a0äßİ²½٣中́\u200b\ud800+|"
TEXTS = st.lists(st.text(SIGNS, max_size=60) | st.text(max_size=30), min_size=1, max_size=3)


def expected(texts: list[str], repeats: str) -> set[int]:
    own = {tuple(words(row)) for row in repeats.splitlines()}
    found = set()
    for text in texts:
        rows = [row for row in text.splitlines() if not re.match(r"> | {4}\S+(?: \S+)*$", row)]
        known = [word for row in rows if tuple(words(row)) not in own for word in words(row)]
        for at in range(len(known) - 2):
            found.add(crc32(" ".join(known[at : at + 3]).encode("utf-8", "replace")))
    return found


def words(row: str) -> list[str]:
    return re.findall(r"[^\W_]+", normalise(row).casefold())


@given(TEXTS, st.text(SIGNS, max_size=20))
def test_fingerprints_are_those_of_the_words(texts: list[str], repeats: str) -> None:
    found = array("I")
    found.frombytes(encode(texts, repeats=repeats))
    assert set(found) == expected(texts, repeats)
    assert len(found) == len(set(found))


def test_words_of_a_plain_letter_are_told_apart_by_all_but_letters_and_digits() -> None:
    found = array("I")
    found.frombytes(encode(["Druid\tBoard_7: b8\x00c9 \N{EM DASH} x=2\n\nThe end."]))
    groups = ["druid board 7", "board 7 b8c9", "7 b8c9 x", "b8c9 x 2", "x 2 the", "2 the end"]
    assert list(found) == [crc32(group.encode()) for group in groups]
