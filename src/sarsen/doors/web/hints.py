"""Hints of refusals: which of them can be typed, and which only show the form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import BY_WORD
from sarsen.language.grammar import read_line
from sarsen.language.sentence import Context

_FIRST_WORDS = {words.split()[0] for words in BY_WORD}
# Words in capitals are to be filled in, and 123 is any board.
_TO_FILL_IN = re.compile(r"\b(?:[A-Z]{4,}[0-9]?|123)\b")


@dataclass(frozen=True)
class Hint:
    """A hint in the parts a page shows.

    Attributes:
        line: A command line that can be typed; "" where the hint is advice.
        is_form: Words of the line are still to be filled in.
        advice: The hint where it is no line.
    """

    line: str
    is_form: bool
    advice: str


def read_hint(text: str, speaker: str) -> Hint:
    """Find out whether a hint is a line of this language, for who speaks; "" for nobody."""
    is_line = _is_line(text, speaker)
    return Hint(
        line=text if is_line else "",
        is_form=is_line and _TO_FILL_IN.search(text) is not None,
        advice="" if is_line else text,
    )


def _is_line(text: str, speaker: str) -> bool:
    first = text.lower().split()[:1]
    if not first or (first[0] not in names() and first[0] not in _FIRST_WORDS):
        return False
    try:
        read_line(text, Context(names(), speaker=speaker))
    except UserError:
        return False
    return True
