"""What telephones and mail programs put into a line is read as it was typed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.language.grammar.typography import normalise, one_line


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("b2–b4", "b2-b4"),
        ("b2—b4", "b2-b4"),
        ("b2−b4", "b2-b4"),
        ("b2‑b4", "b2-b4"),
        ("—unrated", "--unrated"),
        ("druid challenge —unrated ada", "druid challenge --unrated ada"),
        ("–size=6", "-size=6"),
        ("yes — no", "yes - no"),
        ("“it’s” ‚so‘ «here»", '"it\'s" \'so\' "here"'),
        ("b2\u00a0b4\u3000c\u2009d\te", "b2 b4 c d e"),
        ("b\u200b2\u00ad-\ufeffb\u20604", "b2-b4"),
        ("ｄｒｕｉｄ　１２３", "druid 123"),
        ("𝐛𝟐-b4", "b2-b4"),
        ("b2\x00-b4\x1b\x7f", "b2-b4"),
        ("b2\x96b4", "b2-b4"),
        ("b2\r\nb4\u2028c", "b2  b4 c"),
        ("b2…", "b2..."),
        ("Gru\u0308\u00dfe", "Grüße"),
        ("\u202egnp.exe\u2066", "gnp.exe"),
        ("\ud800", "\ufffd"),
    ],
)
def test_line_is_made_plain(written: str, plain: str) -> None:
    assert normalise(written) == plain


@pytest.mark.parametrize("written", ["А1", "Ｅ4".replace("Ｅ", "Ε"), "a²", "①", "½", "日本語", "ä"])
def test_what_is_not_the_same_letter_is_left(written: str) -> None:
    assert normalise(written) == written


def test_a_letter_keeps_eight_accents_at_most() -> None:
    assert len(normalise("x" + "\u0301\u0316" * 20_000)) <= 9


def test_one_line_keeps_the_typography_and_drops_what_could_act() -> None:
    assert one_line(" Ada —\r\nBcc: “x”\x00\u2028\u202e y ") == "Ada — Bcc: “x” y"


@given(st.text())
def test_making_plain_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    for plain in (normalise(text), one_line(text)):
        categories = {unicodedata.category(character) for character in plain}
        assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(alphabet=st.characters(max_codepoint=126, min_codepoint=32)))
def test_what_a_keyboard_types_is_left(text: str) -> None:
    assert normalise(text) == text
