"""The engine protocol's lines: commands in, answers out. `docs/engine.md` describes it.

The shape is that of the Go Text Protocol, version 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo
from sarsen.core.phrases import quoted

VERSION = 2
MAX_LINE = 10_000  # characters: an engine must not fill the memory of the other side
RESIGN = "resign"

_ID = re.compile(r"([0-9]{1,18})(?:\s+|$)", re.ASCII)
# The colours of the Go Text Protocol, so that its tools can be used.
_COLOURS = {"black": 0, "b": 0, "white": 1, "w": 1}


@dataclass(frozen=True)
class EngineCommand:
    """One command line.

    Attributes:
        id: The digits before the command, or "".
        name: Its first word, lower-case.
        arguments: What follows it, a move with blanks included.
    """

    id: str
    name: str
    arguments: str

    @property
    def words(self) -> list[str]:
        return self.arguments.split()


def read_command(line: str) -> EngineCommand | None:
    """Read a line; None when nothing is left of it but a comment and blanks."""
    text = "".join(" " if sign == "\t" else sign for sign in line if sign == "\t" or sign >= " ")
    text = text.partition("#")[0].replace("\x7f", "").strip()
    id_match = _ID.match(text)
    number = id_match[1] if id_match else ""
    command, _, arguments = text[id_match.end() if id_match else 0 :].strip().partition(" ")
    if not (number or command):
        return None
    return EngineCommand(number, command.lower(), arguments.strip())


def success(command: EngineCommand, text: str = "") -> str:
    """Write the answer to a command that was done."""
    return _answer("=", command.id, text)


def failure(command: EngineCommand, text: str) -> str:
    """Write the answer to a command that was not done."""
    return _answer("?", command.id, " ".join(text.split()))


def refusal_text(refusal: UserError) -> str:
    """Put a refusal into one line: what was wrong, its code, what would have worked."""
    return f"{refusal.text} [{refusal.code}] {refusal.hint}".strip()


def read_seat(info: GameInfo, word: str) -> int:
    """Read a seat: its name, the first letter of it, or 1 for who moves first and 2.

    Raises:
        UserError: It is none of these.
    """
    abbreviation = word.lower()
    names = [name.lower() for name in info.seats]
    if abbreviation in names:
        return names.index(abbreviation)
    letters = [name[:1] for name in names]
    if letters.count(abbreviation) == 1:
        return letters.index(abbreviation)
    numbers = [str(number) for number in range(1, len(names) + 1)]
    if abbreviation in numbers:
        return numbers.index(abbreviation)
    if abbreviation in _COLOURS:
        return _COLOURS[abbreviation]
    raise UserError(
        f"{quoted(word, 40)} is not a seat of {info.title}.",
        code="no-such-seat",
        hint=f"The seats are {' and '.join(info.seats)}, or 1 and 2.",
    )


def _answer(sign: str, number: str, text: str) -> str:
    # An empty line ends an answer, so that none may stand inside it.
    lines = [line.rstrip() or " " for line in text.split("\n")] if text else [""]
    first = f"{sign}{number} {lines[0]}".rstrip()
    return "\n".join([first, *lines[1:]]) + "\n\n"
