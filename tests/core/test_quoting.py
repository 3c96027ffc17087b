"""What was typed is repeated in a form that a person can read, at every place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sarsen
from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.core.referee import judge, replay
from sarsen.games import load, names

SOURCES = Path(sarsen.__file__).parent
# Python's own form, with its backslashes: for messages to programmers.
PYTHONS = re.compile(r"![r]\}|\brepr\(")
TO_PROGRAMMERS = (
    *("lab/checking", "lab/puzzles", "research", "learning", "client/__init__.py"),
    *("core/renamed.py", "core/phrases.py", "drawing/boards.py", "games/vasco/solved"),
    "services/admin/archives.py",
    "services/events/live_updates.py",  # a digest
    "server/commands",
    "lab/games.py",
)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("zz", "'zz'"),
        ("it's", '"it\'s"'),
        ('it\'s "so"', "'it's \"so\"'"),
        ("\0", "'<U+0000>'"),
        ("a\tb\nc", "'a<U+0009>b<U+000A>c'"),
        ("\u202edcba", "'<U+202E>dcba'"),
        ("\ud800", "'<U+D800>'"),
        ("a\\b", "'a\\b'"),
        ("größe", "'größe'"),
        ("x" * 41, f"'{'x' * 40}…'"),
    ],
)
def test_odd_signs_are_shown_by_their_number(typed: str, shown: str) -> None:
    assert quoted(typed) == shown


def test_no_sentence_to_a_person_quotes_as_python_does() -> None:
    found = [
        f"{path.relative_to(SOURCES)}:{number}"
        for path in sorted(SOURCES.rglob("*.py"))
        if not str(path.relative_to(SOURCES)).startswith(TO_PROGRAMMERS)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if PYTHONS.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("typed", ["\0", "a\x1b1", "\u202e", "zz\\", "\x85x"])
def test_refused_moves_and_positions_have_no_escapes_of_python(game: str, typed: str) -> None:
    start = load(game).start("")
    for act in (
        lambda: judge(start, typed),
        lambda: list(replay(start, [typed])),
        lambda: load(game).read(typed),
        lambda: load(game).start(typed),
    ):
        with pytest.raises(UserError) as refused:
            act()
        assert refused.value.text.isprintable()
        assert not re.search(r"\\x|\\u|\\\\", refused.value.text)
