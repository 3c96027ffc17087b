"""Print a position: the board, what the last move caused, whose turn it is or the result."""

from __future__ import annotations

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition


def print_position(position: AnyPosition) -> None:
    """Print a board and the sentences that belong below it."""
    click.echo(drawing.text(position))
    click.echo()
    for effect in position.effects():
        click.echo(effect)
    outcome = position.outcome()
    if outcome is None:
        click.echo(f"{position.sides[position.seat]} moves.")
        return
    scores = ", ".join(
        f"{side} {score:g}" for side, score in zip(position.sides, outcome.scores, strict=True)
    )
    click.echo(f"{outcome.reason} ({scores})")


def print_refusal(refusal: UserError) -> None:
    """Print which rule refused what, and a line that would have worked."""
    click.echo(f"{refusal.text} [{refusal.code}]")
    if refusal.hint:
        click.echo(f"  {refusal.hint}")
