"""`sarsen verify` without a file: what is wrong with this server's own data, a line each."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from sarsen.language.typography import one_line
from sarsen.services.keeping.differences import Difference
from sarsen.services.keeping.verifying import Report, count_boards, verify, verify_board

DIFFERS = 1
LONGEST = 400  # characters of a value: a position may have thousands


def verify_server(board: int | None, *, as_json: bool) -> int:
    """Print every difference, and at last how much was looked at; give the exit status."""
    report = Report()
    found = _with_progress(report, is_shown=not as_json)
    for one in verify_board(board, report) if board is not None else found:
        click.echo(json.dumps(one.as_dict(), ensure_ascii=False) if as_json else line(one))
    if as_json:
        click.echo(json.dumps({"verified": report.as_dict()}))
    else:
        click.echo(_summary(report))
    return DIFFERS if report.differences else 0


def line(one: Difference) -> str:
    """Return one line that says what is stored, and what it should be."""
    stored, found = (one_line(text)[:LONGEST] or "nothing" for text in (one.stored, one.found))
    rules = f" (rules {one.rules})" if one.rules else ""
    return f"{one.about}, {one.what}: stored {stored}; replayed {found}{rules}"


def _with_progress(report: Report, *, is_shown: bool) -> Iterator[Difference]:
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    is_hidden = not (is_shown and console.is_terminal)
    with Progress(*columns, console=console, disable=is_hidden, transient=True) as progress:
        task = progress.add_task("replaying", total=count_boards())
        yield from verify(report, lambda: progress.advance(task))


def _summary(report: Report) -> str:
    told = f"{report.boards:,} boards with {report.events:,} events replayed"
    if report.other_rules:
        told += f", {report.other_rules:,} of them begun under other rules than are installed"
    if not report.differences:
        return f"{told}: nothing differs."
    noun = "difference" if report.differences == 1 else "differences"
    return f"{told}: {report.differences:,} {noun}."
