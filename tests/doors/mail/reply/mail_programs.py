"""Replies as mail programs write them: heading, quotation, and what a person wrote beside it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

_FILE = Path(__file__).with_name("mail_programs.json")
# In the file; replaced by those of the letter that is answered.
_SERVER, _PLAYER, _SUBJECT = "sarsen@play.example", "ann@ann.example", "Druid Board 1"


@dataclass(frozen=True)
class MailProgram:
    """How a mail program quotes.

    Attributes:
        heading: Above the quotation, with its line ends.
        mark: Before each quoted line.
        last: An own line that begins like a heading in the program's language.
    """

    program: str
    heading: str
    mark: str
    last: str

    def quote(self, letter: EmailMessage, text: str) -> str:
        """Return the heading and the quotation of a letter's text."""
        author = str(letter["From"]).partition("<")[2].rstrip(">")
        heading = self.heading.replace(_SERVER, author).replace(_SUBJECT, str(letter["Subject"]))
        heading = heading.replace(_PLAYER, str(letter["To"]))
        return heading + "".join(f"{self.mark}{row}".rstrip() + "\n" for row in text.splitlines())


@dataclass(frozen=True)
class Use:
    """What a person writes with a program.

    Attributes:
        own: The rows that are the person's.
        is_below: Whether they stand below the quotation.
    """

    name: str
    own: tuple[str, ...]
    is_below: bool = False

    def body(self, quotation: str) -> str:
        own = "\n".join(self.own) + "\n"
        return f"{quotation}\n{own}" if self.is_below else f"{own}\n{quotation}"


def programs() -> list[MailProgram]:
    return [MailProgram(**facts) for facts in json.loads(_FILE.read_text(encoding="utf-8"))]


def uses(program: MailProgram, move: str) -> Iterator[Use]:
    yield Use("move above", (move,))
    if ">" in program.mark:
        yield Use("move below", (move,), is_below=True)
    yield Use("chat", ("chat F001 Well played!",))
    yield Use("chat and last", ("chat F001 Well played!", program.last))


def rewrapped(text: str, width: int) -> str:
    """Return a text as a program re-flows it that wraps what it quotes."""
    rows: list[str] = []
    for row in text.splitlines():
        rows += [row] if len(row) <= width else textwrap.wrap(row, width) or [""]
    return "\n".join(rows)
