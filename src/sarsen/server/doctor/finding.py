"""What a look at the server found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a matter stands: as it should, worth a thought, or to be mended."""

    GOOD = "good"
    ODD = "odd"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One matter, in a sentence.

    Attributes:
        code: Stable, for programs.
        hint: One line that mends it; "" when nothing is to be done.
    """

    code: str
    state: State
    text: str
    hint: str = ""


def good(code: str, text: str) -> Finding:
    """Say that a matter stands as it should."""
    return Finding(code, State.GOOD, text)


def odd(code: str, text: str, hint: str = "") -> Finding:
    """Say that a matter is worth a thought."""
    return Finding(code, State.ODD, text, hint)


def bad(code: str, text: str, hint: str = "") -> Finding:
    """Say that a matter is to be mended."""
    return Finding(code, State.BAD, text, hint)
