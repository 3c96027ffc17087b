"""Find the fenced blocks of a Markdown page, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt


@dataclass(frozen=True)
class Fence:
    """A fenced block.

    Attributes:
        info: What stands behind the opening backticks: `sarsen`, `text`, `console`.
        text: Its lines, without a line feed at the end.
        before: The block directly before it, with nothing but blank lines between.
    """

    info: str
    text: str
    before: Fence | None

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for line in self.text.split("\n") if line.strip())


@cache
def fences(page: str) -> tuple[Fence, ...]:
    """Return the fenced blocks of a page; read each page once."""
    return tuple(_fences(page))


def _fences(page: str) -> Iterator[Fence]:
    before = None
    for token in MarkdownIt().parse(page):
        if token.type == "fence":
            before = Fence(token.info.strip(), token.content.removesuffix("\n"), before)
            yield before
        else:
            before = None
