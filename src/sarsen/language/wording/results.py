"""How a game ended: kept in English with the match, and said in the language in force."""

from __future__ import annotations

from sarsen.language.translating import later
from sarsen.language.wording.refusals import reworded

_KNOWN = (
    *(later("{0} resigned."), later("{0} ran out of time.")),
    *(later("Agreed a draw."), later("Both sides passed.")),
)


def reason_words(reason: str) -> str:
    """Return a text that says why a game is over, as its own catalogue says it where the game has
    one.
    """
    return reworded(reason)
