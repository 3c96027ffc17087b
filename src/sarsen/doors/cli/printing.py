"""Print a position: the board, what the last move caused, whose turn it is or the result."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition

LEAST_ROWS = 6  # of a board, however many lines belong around it
WHOLE = "Type board for the whole drawing."


def print_position(position: AnyPosition) -> None:
    """Print a board and the sentences that belong below it."""
    click.echo("\n".join((drawing.text(position), "", *_sentences(position))))


def print_fitting_position(position: AnyPosition, around: str) -> None:
    """Print a board that fits the terminal with the sentences below it; elsewhere all of it.

    Args:
        around: The text above the board and the prompt below it, which are to be seen with it.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print_position(position)
        return
    columns, rows = shutil.get_terminal_size()
    said = _sentences(position)
    whole = drawing.text(position)
    used = 1 + _height((*around.splitlines(), *said[:-1], f"{said[-1]} {WHOLE}"), columns)
    board = drawing.compact_text(position, max(rows - used, LEAST_ROWS), columns)
    if board != whole and position.outcome() is None:
        said[-1] += f" {WHOLE}"
    click.echo("\n".join((board, "", *said)))


def _sentences(position: AnyPosition) -> list[str]:
    """Return what the last move caused, and whose turn it is or the result."""
    outcome = position.outcome()
    if outcome is None:
        return [*position.effects(), f"{position.sides[position.seat]} moves."]
    scores = ", ".join(
        f"{side} {score:g}" for side, score in zip(position.sides, outcome.scores, strict=True)
    )
    return [*position.effects(), f"{outcome.reason} ({scores})"]


def _height(lines: Iterable[str], columns: int) -> int:
    """Return how many lines of a terminal some lines take."""
    return sum(max(1, -(-len(line) // columns)) for line in lines)


def print_refusal(refusal: UserError) -> None:
    """Print which rule refused what, and a line that would have worked."""
    click.echo(f"{refusal.text} [{refusal.code}]")
    if refusal.hint:
        click.echo(f"  {refusal.hint}")
