"""Replies to letters of turning points tried again: which one they answer."""

from __future__ import annotations

import re

from sarsen.language.grammar.tokens import MistakeContext

# In English or German.
_TITLE = re.compile(
    r"(?:review|analyse) (\d{1,9}), (?:again|noch einmal) (\d{1,2})/\d{1,2}", re.IGNORECASE
)


def titled_mistake(subject: str, board: int | None = None) -> MistakeContext | None:
    """Return the turning point that a subject names; None for any other subject.

    Args:
        board: Of the address that is answered; another one in the subject is none of its letter's.
    """
    titled = _TITLE.fullmatch(subject)
    if titled is None or board not in (None, int(titled[1])):
        return None
    return MistakeContext(int(titled[1]), int(titled[2]))
