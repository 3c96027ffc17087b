"""Collections of records are parted line by line, whatever stands in them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records.test_records import played
from drawn_examples import examples
from sarsen.core.errors import UserError
from sarsen.core.records import as_json, text
from sarsen.core.records.collection import RecordText, lines_of, split
from sarsen.core.records.text import MAX_READ
from sarsen.games import load

GAME = load("visavis")
RECORDS = [played("visavis", seed) for seed in range(3)]
TEXTS = [text.write(record, GAME) for record in RECORDS]
LINES = [as_json.write_line(record, GAME) + "\n" for record in RECORDS]


def pieces(content: str) -> list[RecordText]:
    return list(split(lines_of(io.StringIO(content, newline="\n"))))


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(TEXTS),
        "".join(TEXTS),
        "".join(LINES),
        "\n".join(LINES),
        TEXTS[0] + LINES[1] + TEXTS[2],
        "\ufeff# A comment.\n\n" + "\n# Another.\n".join(TEXTS),
        "\n".join(TEXTS).replace("\n", "\r\n"),
    ],
)
def test_records_one_after_another_are_all_read(content: str) -> None:
    assert [piece.read(load) for piece in pieces(content)] == RECORDS


def test_a_piece_knows_the_line_it_begins_in() -> None:
    content = "# Two.\n\n" + LINES[0] + "\n" + TEXTS[1]
    assert [piece.line for piece in pieces(content)] == [3, 5]


def test_what_stands_before_the_first_record_is_not_passed_over() -> None:
    first, second = pieces("hello\n\n" + TEXTS[0])
    with pytest.raises(UserError):
        first.read(load)
    assert second.read(load) == RECORDS[0]


def test_a_record_without_an_end_is_cut_and_refused_and_the_next_one_is_read() -> None:
    endless = TEXTS[0] + "# more\n" * (MAX_READ // 6) + "\n" + TEXTS[1]
    first, second = pieces(endless)
    assert len(first.text) == MAX_READ + 1
    with pytest.raises(UserError) as refused:
        first.read(load)
    assert refused.value.code == "record.too-long"
    assert second.read(load) == RECORDS[1]


def test_a_line_without_an_end_is_cut_and_refused_and_the_next_one_is_read() -> None:
    first, second = pieces("{" + "x" * (2 * MAX_READ + 7) + "\n" + LINES[1])
    assert len(first.text) <= MAX_READ + 1
    with pytest.raises(UserError) as refused:
        first.read(load)
    assert refused.value.code == "record.too-long"
    assert second.read(load) == RECORDS[1]
    assert second.line == 2


@given(st.lists(st.sampled_from([*LINES, *TEXTS, "{\n", "x\n", "\n", "# y\n", "1 O - B2\n"])))
@examples(60)
def test_no_line_that_says_something_is_lost(parts: list[str]) -> None:
    said = [line for line in "".join(parts).splitlines() if line and not line.startswith("#")]
    kept = "\n".join(piece.text for piece in pieces("".join(parts))).splitlines()
    assert [line for line in kept if line and not line.startswith("#")] == said


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "record.json"),
        ("[1]", "record.head"),
        (LINES[0].replace('"game"', '"name"'), "record.json"),
        (LINES[0].replace('"rules": 1', '"rules": 1, "rules": 1'), "record.json"),
        (LINES[0].replace('"rules": 1', '"rules": 1, "Elo": 1500'), "record.json"),
        (LINES[0].replace('"O": "ann"', '"V": "ann"'), "record.json"),
        (LINES[0].replace("-size=5", "-size=5 -wings"), "unknown-option"),
        (LINES[0].replace('"ann"', '"\\ud800"'), "record.not-text"),
        (LINES[0].replace('"reason": "', '"reason": "\\u2028'), "record.json"),
    ],
)
def test_json_that_is_no_record_is_refused_in_words(line: str, code: str) -> None:
    (piece,) = pieces(line)
    with pytest.raises(UserError) as refused:
        piece.read(load)
    assert refused.value.code == code
    assert refused.value.hint


def test_json_objects_have_no_order() -> None:
    found = as_json.write(RECORDS[0], GAME)
    for name in ("players", "result"):
        found[name] = dict(reversed(found[name].items()))
    assert as_json.read(found, load) == RECORDS[0]


@pytest.mark.parametrize("odd", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_other_character_ends_a_line(odd: str) -> None:
    sly = TEXTS[0].replace("reason: ", f"reason: Well played.{odd}end: agreement ")
    with pytest.raises(UserError) as refused:
        text.read(sly, load)
    assert refused.value.code == "record.head"
