"""Mutated records in a file: each is read or refused with its line, and those after it are read.

The long form reads `MUTATIONS` of them (a million) by `SEED`, and prints both.
"""

from __future__ import annotations

import io
import json
import os
import random
from collections.abc import Callable

import pytest

from core.records.test_records import SMALL, played
from sarsen.core.errors import UserError
from sarsen.core.records import Record, as_json, prove, text
from sarsen.core.records.collection import RecordText, lines_of, split
from sarsen.games import load

RECORDS = [played(name, seed, most=6) for name in SMALL for seed in range(2)]
TEXTS = [text.write(record, load(record.game)) for record in RECORDS]
LINES = [as_json.write_line(record, load(record.game)) + "\n" for record in RECORDS]
AFTER = RECORDS[0]
# What stands between two words of either form, and what readers of numbers, times, names and
# JSON have stumbled over.
MARKS = [*' \t\n\r\v\f;:,#-{}[]"\\.0123456789', "\x00", "\x1b[2J", "\u2028", "\ufeff", "\udc80"]
ODD = [
    *("٣", "²", "1e999", "-0", "NaN", "1" + "0" * 400, "0001-01-01T00:00:00Z", "ﬁ", "\u202e", "🎲"),
    *("; x", ";", "none", "null", "[" * 50, "../../etc", "-size=5 -size=5", "-size", "resignation"),
    *("players: O a; X b;x", "game:", "sarsen-record: 1", "# x", "{}", "a" * 600, "О", "O", "X X"),
]


def mutated(given: str, chance: random.Random) -> str:
    """Return a text with one to four changes."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(given) + 1)
        end = min(len(given), at + chance.choice((0, 0, 1, 2, 8, 40)))
        other = chance.choice(TEXTS + LINES)
        start = chance.randrange(len(other))
        new = chance.choice(
            (
                "",
                chance.choice(MARKS),
                chance.choice(ODD),
                given[at:end] * 2,
                other[start : start + chance.randrange(1, 30)],
            )
        )
        given = given[:at] + new + given[end:]
    return given


def faults_of(mutant: str) -> list[str]:
    """Return what went wrong with a file of a mutated record and a good one."""
    content = f"{mutant}\n{TEXTS[0]}"
    pieces = list(split(lines_of(io.StringIO(content, newline="\n"))))
    faults = []
    if _read(pieces[-1])[0] != AFTER:
        faults.append(f"the record after it is not read: {mutant!r}")
    for piece in pieces[:-1]:
        try:
            record, line = _read(piece)
        except Exception as defect:
            faults.append(f"{type(defect).__name__}: {defect}: {mutant!r}")
            continue
        if not piece.line <= line <= content.count("\n") + 1:
            faults.append(f"line {line}: {mutant!r}")
        if record is not None:
            game = load(record.game)
            if text.read(text.write(record, game), load) != record:
                faults.append(f"it is another one when it is written: {mutant!r}")
    return faults


def _read(piece: RecordText) -> tuple[Record | None, int]:
    """Return a record that is proved, or the line in which it is refused."""
    try:
        record = piece.read(load)
        prove(record, load(record.game))
    except UserError as refusal:
        assert refusal.code
        assert str(refusal.text)
        return None, piece.line_of(refusal)
    return record, piece.line


def run(mutations: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    faults: list[str] = []
    for _ in range(mutations):
        faults += faults_of(mutated(chance.choice(TEXTS + LINES), chance))
        if len(faults) > 20:
            break
    return faults


def test_mutated_record_is_read_or_refused_with_its_line_and_the_next_one_is_read() -> None:
    assert run(400, 7) == []


@pytest.mark.slow
def test_long_form_of_mutated_records(amount: Callable[[str, int, int], int]) -> None:
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    mutations = amount("MUTATIONS", 1_000_000, 2_000)
    print(f"SEED={seed} MUTATIONS={mutations}")
    assert run(mutations, seed) == []


def test_scores_that_run_together_are_refused() -> None:
    good = next(one for one in TEXTS if "\nresult: 0.5 0.5\n" in one)
    for odd in ("0.50.5", "0.5  0.5", "01 0", "0.5 0.5 0", "٠.5 0.5"):
        with pytest.raises(UserError):
            text.read(good.replace("result: 0.5 0.5", f"result: {odd}"), load)


def test_line_that_is_odd_is_the_one_that_is_named() -> None:
    good = TEXTS[-1].splitlines()
    wrong = {
        "players: O ann; X bob;x": "players",
        "players: O ann; X bob X": "players",
        "players: ;": "players",
        "rules: 1.5": "rules",
        "options: -size=5 -nothing": "options",
        "game: chess": "game",
        "started: 2026-13-01T00:00:00Z": "started",
        "3 O - Z9": "3 ",
        "2 Z - C3": "2 ",
    }
    named = {}
    for line, begins in wrong.items():
        at = next(number for number, one in enumerate(good) if one.startswith(begins))
        lines = [*good[:at], line, *good[at + 1 :]]
        content = "# Two games.\n\n" + "\n".join(lines) + "\n\n" + TEXTS[0]
        first, second = split(lines_of(io.StringIO(content, newline="\n")))
        named[line] = (_read(first)[1], _read(second)[0]) == (at + 3, AFTER)
    assert [line for line, is_right in named.items() if not is_right] == []


def test_refusal_of_the_json_form_names_no_line_of_the_other_form() -> None:
    value = as_json.write(RECORDS[-1], load(RECORDS[-1].game)) | {"rules": "one"}
    piece = RecordText(5, json.dumps(value))
    with pytest.raises(UserError) as refused:
        piece.read(load)
    assert piece.line_of(refused.value) == 5
    assert refused.value.text == "A value cannot be read: 'rules: one'."
