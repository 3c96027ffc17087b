"""Blot passwords out of what a mail quotes back."""

from __future__ import annotations

from sarsen.language.commands import SignUp
from sarsen.language.grammar import Spoken

BLOT = "*****"
_LONGEST_QUOTE = 120
_SAFE_WORDS = 2


def blot(line: str, spoken: Spoken | None) -> str:
    """Give a command line as it may be quoted: short, without its password.

    Of a line that could not be read only the first words are quoted: a password
    may stand anywhere behind them.
    """
    words = line.split()
    if spoken is None:
        return " ".join(words[:_SAFE_WORDS]) + (" …" if len(words) > _SAFE_WORDS else "")
    secrets = {spoken.credentials.password} if spoken.credentials else set()
    if isinstance(spoken.command, SignUp):
        secrets.add(spoken.command.password)
    shown = " ".join(BLOT if word in secrets else word for word in words)
    return shown if len(shown) <= _LONGEST_QUOTE else shown[:_LONGEST_QUOTE] + " …"
