"""Replies to letters of puzzles: which puzzle they answer, and after which own moves."""

from __future__ import annotations

import re

from sarsen.games import known_names
from sarsen.language.grammar.tokens import PuzzleContext
from sarsen.services.learning.letters import answered_puzzle
from sarsen.services.mail.reply_addresses import SignedAddress

# In English or German; own moves stand behind it where the reader is unknown.
_TITLE = re.compile(
    r"(?:puzzle|rätsel) ([\w-]{1,40})-(\d{1,6}): [\w ]{1,40}(?: \(([^()]{1,200})\))?",
    re.IGNORECASE,
)


def puzzle_answered(signed: SignedAddress, subject: str) -> PuzzleContext | None:
    """Return the puzzle that a mail to a signed address answers; None where it is none's.

    The answer to a refused line may be answered, whose address knows its reader and no puzzle.
    """
    if signed.puzzle is not None:
        return answered_puzzle(signed.player, signed.puzzle)
    return titled_puzzle(subject) if signed.proves_account else None


def titled_puzzle(subject: str) -> PuzzleContext | None:
    """Return the puzzle that a subject names, with its line; None for any other subject."""
    titled = _TITLE.fullmatch(subject)
    if titled is None or titled[1].lower() not in known_names():
        return None
    return PuzzleContext(titled[1].lower(), int(titled[2]), tuple((titled[3] or "").split()))
