"""Blot passwords out of what a mail quotes back."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import BY_WORD, SignUp
from sarsen.language.grammar import Spoken

SHORTEST_PASSWORD = 6
BLOT = "*****"
_LONGEST_QUOTE = 120


def blot(line: str, spoken: Spoken | None, *, is_proved: bool = True) -> str:
    """Give a command line as it may be quoted: short, without its password.

    Of a line that could not be read, or whose speaker is not proved, only words of
    the language and numbers are quoted: any other may be a password in a wrong place.
    """
    words = line.split()
    if spoken is None or not is_proved:
        return " ".join(word if _is_safe(word) else BLOT for word in words)[:_LONGEST_QUOTE]
    secrets = {spoken.credentials.password} if spoken.credentials else set()
    if isinstance(spoken.command, SignUp):
        secrets.add(spoken.command.password)
    shown = " ".join(BLOT if word in secrets else word for word in words)
    return shown if len(shown) <= _LONGEST_QUOTE else shown[:_LONGEST_QUOTE] + " …"


def blot_refusal(refusal: UserError, line: str) -> UserError:
    """Give a refusal of an unproved speaker without words that may be a password."""
    text, hint = refusal.text, refusal.hint
    for word in line.split():
        if len(word) >= SHORTEST_PASSWORD and not _is_safe(word):
            text, hint = text.replace(word, BLOT), hint.replace(word, BLOT)
    return UserError(text, code=refusal.code, hint=hint)


def _is_safe(word: str) -> bool:
    plain = word.lower()
    is_number = len(plain) < 10 and plain.isascii() and plain.isdigit()
    return plain in BY_WORD or plain in names() or is_number
