"""Tables as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from sarsen.language.replies import Table
from sarsen.language.typography import WIDTH

INDENT = "  "
GAP = "  "
Row = Sequence[str]


def table_text(table: Table, width: int = WIDTH) -> str:
    """Return a table with its title, in lines no longer than `width`."""
    if not table.rows:
        return f"{table.title}\n\n  none"
    fitted = columns_text(table.columns, table.rows, width - len(INDENT))
    title = textwrap.fill(table.title, width, break_long_words=False)
    return f"{title}\n\n{textwrap.indent(fitted, INDENT)}"


def columns_text(head: Row, rows: Sequence[Row], width: int) -> str:
    """Return rows in columns as wide as they need; cells that are too wide are wrapped.

    Rows whose longest words do not fit side by side become one line a cell.

    Args:
        head: What stands above the columns; empty for nothing.
    """
    widths = _widths([head, *rows] if head else rows, width)
    if widths is None:
        return "\n\n".join(_listed(head or [""] * len(row), row, width) for row in rows)
    ruled = [head, ["-" * one for one in widths], *rows] if head else rows
    return "\n".join(line for row in ruled for line in _wrapped(row, widths))


def _widths(rows: Sequence[Row], width: int) -> list[int] | None:
    """Return the width of each column; None where they do not fit."""
    count = len(rows[0])
    room = width - len(GAP) * (count - 1)
    natural = [max(len(row[at]) for row in rows) for at in range(count)]
    least = [max(_longest_word(row[at]) for row in rows) for at in range(count)]
    if sum(least) > room:
        return None
    widths = natural
    while sum(widths) > room:
        shrinkable = [at for at in range(count) if widths[at] > least[at]]
        widths[max(shrinkable, key=lambda at: widths[at])] -= 1
    return widths


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _wrapped(row: Row, widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of one row."""
    cells = (
        textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=False) or [""]
        if len(cell) > width
        else [cell]
        for cell, width in zip(row, widths, strict=True)
    )
    for line in zip_longest(*cells, fillvalue=""):
        yield GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _listed(head: Row, row: Row, width: int) -> str:
    """Return one row as lines such as `board: 12`, without its empty cells."""
    lines = []
    for column, cell in zip(head, row, strict=True):
        if cell:
            said = f"{column}: {cell}" if column else cell
            lines.append(
                textwrap.fill(
                    said,
                    width,
                    subsequent_indent=INDENT,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
    return "\n".join(lines)
