"""The engine protocol's lines: commands in, answers out. `docs/engine.md` describes it.

The shape is that of the Go Text Protocol, version 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo

VERSION = 2
LONGEST_LINE = 10_000  # characters
RESIGN = "resign"

_ID = re.compile(r"([0-9]{1,18})(?:\s+|$)", re.ASCII)
# The colours of the Go Text Protocol, so that its tools can be used.
_COLOURS = {"black": 0, "b": 0, "white": 1, "w": 1}


@dataclass(frozen=True)
class EngineCommand:
    """One command line.

    Attributes:
        id: The digits before the command, or "".
        command: Its first word, lower-case.
        rest: All behind it, a move with blanks included.
    """

    id: str
    command: str
    rest: str

    @property
    def words(self) -> list[str]:
        return self.rest.split()


def read_command(line: str) -> EngineCommand | None:
    """Read a line; None when nothing is left of it but a comment and blanks."""
    text = "".join(" " if sign == "\t" else sign for sign in line if sign == "\t" or sign >= " ")
    text = text.partition("#")[0].replace("\x7f", "").strip()
    found = _ID.match(text)
    number = found[1] if found else ""
    command, _, rest = text[found.end() if found else 0 :].strip().partition(" ")
    if not (number or command):
        return None
    return EngineCommand(number, command.lower(), rest.strip())


def success(asked: EngineCommand, text: str = "") -> str:
    """Write the answer to a command that was done."""
    return _answer("=", asked.id, text)


def failure(asked: EngineCommand, text: str) -> str:
    """Write the answer to a command that was not done."""
    return _answer("?", asked.id, " ".join(text.split()))


def refusal_text(refusal: UserError) -> str:
    """Put a refusal into one line: what was wrong, its code, what would have worked."""
    return f"{refusal.text} [{refusal.code}] {refusal.hint}".strip()


def read_seat(info: GameInfo, word: str) -> int:
    """Read a seat: its name, the first letter of it, or 1 for who moves first and 2.

    Raises:
        UserError: It is none of these.
    """
    said = word.lower()
    names = [name.lower() for name in info.seats]
    if said in names:
        return names.index(said)
    letters = [name[:1] for name in names]
    if letters.count(said) == 1:
        return letters.index(said)
    numbers = [str(number) for number in range(1, len(names) + 1)]
    if said in numbers:
        return numbers.index(said)
    if said in _COLOURS:
        return _COLOURS[said]
    raise UserError(
        f"{word[:40]!r} is no seat of {info.title}.",
        code="no-such-seat",
        hint=f"The seats are {' and '.join(info.seats)}, or 1 and 2.",
    )


def _answer(sign: str, number: str, text: str) -> str:
    # An empty line ends an answer, so that none may stand inside it.
    lines = [line.rstrip() or " " for line in text.split("\n")] if text else [""]
    first = f"{sign}{number} {lines[0]}".rstrip()
    return "\n".join([first, *lines[1:]]) + "\n\n"
