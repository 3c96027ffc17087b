"""Texts of people, kept as written: announcements have boards in them.

Doors show a paragraph in which blanks stand together in a fixed-width face, and do not wrap it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sarsen.core.errors import UserError
from sarsen.language.grammar.typography import visible, wrap

# Characters of a line that cannot be wrapped: longer ones are no drawings, and some mail servers
# cut them. A paragraph of prose, which many programs send as one line, may be longer.
MAX_LINE_LENGTH = 1000
TAB_WIDTH = 8
# Two blanks behind the end of a sentence are a habit of typists, and draw nothing.
_DRAWN = re.compile(r"^ {2}|[^ .!?] {2}| {3}", re.MULTILINE)
_BETWEEN = re.compile(r"(\n{2,})")


class Paragraph(NamedTuple):
    """A paragraph, or several drawn ones with the empty lines between them."""

    text: str
    is_drawn: bool


def kept_text(text: str) -> str:
    """Return text with its blanks and lines, without control characters and empty lines around.

    Raises:
        UserError: A line is too long; nothing is cut in silence.
    """
    lines = [kept_line(line) for line in text.splitlines()]
    longest = max((_unwrapped(line) for line in lines), default=0)
    if longest > MAX_LINE_LENGTH:
        raise UserError(
            "One line of your text has {count} characters; a line has room for {most}.",
            code="text-line-too-long",
            hint="Break that line in two and send the text again.",
            count=longest,
            most=MAX_LINE_LENGTH,
        )
    kept = "\n".join(lines).strip("\n")
    return kept if "\n" in kept else kept.strip()


def _unwrapped(line: str) -> int:
    """Return how long a line stays when it is wrapped."""
    return len(line) if "  " in line else max(map(len, line.split()), default=0)


def kept_line(line: str) -> str:
    """Return a line with its blanks: tabs become blanks, what nobody sees goes."""
    if line.isascii() and line.isprintable():
        return line.rstrip()
    signs = (sign if sign == "\t" else visible(sign) for sign in line)
    return "".join(signs).expandtabs(TAB_WIDTH).rstrip()


def is_drawn(text: str) -> bool:
    """Return whether the blanks of a text mean something: indentation, columns, a board."""
    return _DRAWN.search(text) is not None


def paragraphs(text: str) -> list[Paragraph]:
    """Return the paragraphs of a text; drawn ones that follow each other are one."""
    pieces = _BETWEEN.split(text.strip("\n"))
    found: list[Paragraph] = []
    for gap, piece in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        paragraph = Paragraph(piece, is_drawn(piece))
        if paragraph.is_drawn and found and found[-1].is_drawn:
            paragraph = Paragraph(f"{found.pop().text}{gap}{piece}", is_drawn=True)
        found.append(paragraph)
    return found


def named(by: str, text: str) -> str:
    """Return what somebody said behind their name, a drawing below it."""
    return f"{by}:\n{text}" if is_drawn(text) else f"{by}: {text}"


def wrap_prose(text: str) -> str:
    """Return text with long lines wrapped, unless two blanks stand together anywhere in it."""
    return text if "  " in text else wrap(text)
