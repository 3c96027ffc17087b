"""How a game ended: kept in English with the match, and said in the language in force."""

from __future__ import annotations

import re

from sarsen.language.translating import _, later

_KNOWN = tuple(
    (re.compile("(?P<side>[^ ]+) " + re.escape(text.partition("} ")[2])), text)
    for text in (
        later("{side} resigned."),
        later("{side} ran out of time."),
    )
)
_WHOLE = (later("Agreed a draw."), later("Both sides passed."))


def reason_words(reason: str) -> str:
    """Say why a game is over; what a game itself says stays as it says it."""
    if reason in _WHOLE:
        return _(reason)
    for pattern, text in _KNOWN:
        found = pattern.fullmatch(reason)
        if found:
            return _(text).format(side=found["side"])
    return reason
