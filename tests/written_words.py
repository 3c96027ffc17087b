"""Announcements of the old server, which are sent through each door, and compared."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
# The boards of these games come as people drew them; the page has curly quotes and long lines.
ANNOUNCED = ("druid_announced", "visavis_announced", "vasco_page")
each_text = pytest.mark.parametrize("name", ANNOUNCED)


def text_named(name: str) -> str:
    """Return a text; what a hard blank is in its file is a blank everywhere else."""
    return (DATA / f"{name}.txt").read_text(encoding="utf-8").replace("\xa0", " ")


def in_parts(text: str, most: int) -> list[str]:
    """Return a text in parts of whole paragraphs, each with at most so many characters."""
    parts = [""]
    for line in text.split("\n"):
        if len(parts[-1]) + len(line) + 1 > most:
            parts.append("")
        parts[-1] += f"{line}\n"
    return parts


def changed(text: str, shown: str) -> list[str]:
    """Return the lines of a text that stand otherwise, or in another order, where it is shown."""
    remaining = [line.rstrip() for line in shown.split("\n")]
    wrong = []
    for line in filter(None, (line.rstrip() for line in text.split("\n"))):
        if line in remaining:
            remaining = remaining[remaining.index(line) + 1 :]
        else:
            wrong.append(line)
    return wrong


def lines_of_html(page: str) -> str:
    """Return the lines that a browser shows of a page, blanks that stand side by side as one.

    In `pre` all stay; a hard blank is a blank.
    """
    pieces = re.split(r"<pre[^>]*>(.*?)</pre>", page, flags=re.DOTALL)
    pieces[::2] = map(_joined, pieces[::2])
    shown = (unescape(re.sub(r"<[^>]+>", "", piece)) for piece in pieces)
    return "\n".join(shown).replace("\xa0", " ")


def _joined(html: str) -> str:
    joined = re.sub(r"[ \t\r\n]+", " ", html)
    return re.sub(r" ?<(?:br|/?p|/?div|/?li)\b[^>]*> ?", "\n", joined)
