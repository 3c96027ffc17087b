"""Hints of refusals that are lines of the language, told apart from advice in words."""

from __future__ import annotations

import re
from collections.abc import Collection

from sarsen.language.commands import BY_WORD

_FIRST_WORDS = {words.split()[0] for words in BY_WORD}
_PROGRAM = "sarsen"  # hints that begin with it are lines of a shell
# What stands for the name of a game in `GAME move BOARD …`.
_ANY_GAME = "GAME"
# Signs of a form, as `[-OPTIONS]` or `yes|no`: it is completed before it is typed.
_OF_FORM = re.compile(r"\[[#A-Za-z-][^\]]*\]|\w\|\w")


def is_line(hint: str, games: Collection[str]) -> bool:
    """Return whether a hint is a line of the language, or the form of one.

    Advice begins with a capital letter, a line never does: `Change a word to send it once more.`
    is no `change password`.

    Args:
        games: The names known here; a server may have others.
    """
    first, second = (*hint.split(), "", "")[:2]
    if first in ("", _PROGRAM):
        return False
    if first in _FIRST_WORDS or first.rstrip(":") in _FIRST_WORDS or first in games:
        return True
    return second in BY_WORD and (first == _ANY_GAME or (first.islower() and first.isalnum()))


def is_form(line: str) -> bool:
    """Return whether a line has parts that are chosen before it is typed."""
    return _OF_FORM.search(line) is not None
