"""Hints of refusals in the parts that a page shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.games import known_names
from sarsen.language.commands import BY_WORD
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context

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
    """Sort a hint into a command line, for this userid or "" for nobody, or advice."""
    is_line = _is_line(text, speaker)
    return Hint(
        line=text if is_line else "",
        is_form=is_line and _TO_FILL_IN.search(text) is not None,
        advice="" if is_line else text,
    )


def advice(text: str) -> str:
    """Return a hint for pages that teach no commands; "" where it is a line to be typed."""
    return read_hint(text, "USERID").advice


def _is_line(text: str, speaker: str) -> bool:
    first = text.lower().split()[:1]
    if not first or (first[0] not in known_names() and first[0] not in _FIRST_WORDS):
        return False
    try:
        read_line(text, Context(known_names(), speaker=speaker))
    except UserError:
        return False
    return True
