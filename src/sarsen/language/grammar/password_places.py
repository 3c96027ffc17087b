"""Where a line may have a password: at its place in a command, or one word beside it.

The places come from the usages of the commands, so a new command needs nothing here. They are
asked for only where a password is due: in a line whose speaker nothing else has proved.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from sarsen.language.challenges import MakeChallenge
from sarsen.language.grammar.grammar import Reading

_SECRETS = ("PASSWORD", "P", "OLD", "NEW")
_GROUP = re.compile(r"(?<!\w)\[([^]]*)\]")
_OPTIONAL = "[]"


@dataclass(frozen=True)
class Places:
    """Places among the words of a line, from the surest to the least sure.

    Attributes:
        taken: The command took the word for a secret.
        behind: Behind a userid of somebody's, where a userid may stand.
        beside: One place away from where the password belongs, in a line of nearly its form.
        takes_password: Whether the command takes one at all.
        has_prose: Whether words for people may stand there, too.
    """

    taken: frozenset[int] = frozenset()
    behind: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    takes_password: bool = False
    has_prose: bool = False


@dataclass(frozen=True)
class _Form:
    """One form of a command: how many words it has, and where among them a password."""

    fewest: int
    most: int
    password_at: int

    def nearly_has(self, count: int) -> bool:
        return self.fewest - 1 <= count <= self.most + 1


def places_of(reading: Reading, userids: Collection[str]) -> Places:
    """Return where the words of a line may be a password.

    Args:
        userids: Words of the line that are userids, in lower case.
    """
    command, first = reading.command, reading.first
    count = len(reading.words) - first
    forms = _forms(command.usage, command.words) if command else ()
    beside = {
        first + form.password_at + step
        for form in forms
        if form.nearly_has(count)
        for step in (-1, 0, 1)
    }
    if command is not None and command.sets_password:
        beside = set(range(first, len(reading.words)))
    has_prose = command is None or command.takes_text or command.takes_reason
    # Behind this place names are names, and words for people words.
    last = first + max((form.password_at for form in forms), default=0)
    behind = {
        at + 1
        for at, word in enumerate(reading.words)
        if plain_userid(word) in userids and (not forms or not has_prose or at <= last)
    }
    taken, all_places = reading.secrets_at, frozenset(range(len(reading.words)))
    return Places(
        taken,
        (all_places & behind) - taken,
        (all_places & beside) - taken - behind,
        bool(forms) or command is MakeChallenge or (command is None and 1 in behind),
        has_prose,
    )


def plain_userid(word: str) -> str:
    """Return the userid that a word would be, in lower case, without quotes or brackets."""
    # A comma or a stop ends a name in prose; before a password nobody writes one.
    return word.strip("\"'`<>()[]:").lower()


@cache
def _forms(usages: str, verbs: tuple[str, ...]) -> tuple[_Form, ...]:
    """Return the forms of a command's usage that have a password."""
    forms = []
    for usage in usages.split(" | "):
        words = _GROUP.sub(_flattened, usage.replace(" …", "")).split()
        words = words[words[0] == "GAME" :]
        is_double = " ".join(words[:2]) in verbs or "|" in words[1]
        arguments = words[2 if is_double else 1 :]
        at = next((at for at, word in enumerate(arguments) if word in _SECRETS), None)
        if at is not None:
            fewest = sum(word != _OPTIONAL for word in arguments)
            # What stands last is often several words: a move, a text, names.
            is_open = bool(set(arguments[at + 1 :]) - set(_SECRETS))
            forms.append(_Form(fewest, sys.maxsize if is_open else len(arguments), at))
    return tuple(forms)


def _flattened(group: re.Match[str]) -> str:
    """Return the words of `[USERID PASSWORD]`; one word for any other group in brackets."""
    words = group[1].split()
    return group[1] if set(words) & set(_SECRETS) else _OPTIONAL
