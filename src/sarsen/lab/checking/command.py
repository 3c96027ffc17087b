"""`sarsen check`: what is wrong with a game, each fault with a command that shows it."""

from __future__ import annotations

import json
import sys

import click

from sarsen.lab.checking.bounded import check
from sarsen.lab.checking.report import CheckReport, Mutations


@click.command("check")
@click.argument("source", metavar="FOLDER|GAME")
@click.option(
    "--seconds",
    type=click.FloatRange(1, 3600),
    default=50.0,
    show_default=True,
    help="Of the processor, in all, roughly.",
)
@click.option(
    "--mutations",
    type=click.IntRange(0, 100_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Changes to the rules that are tried at most, in two fifths of the time.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print facts for a program.")
def check_command(source: str, seconds: float, mutations: int, seed: int, as_json: bool) -> None:
    """Find the faults of a game: its laws, its options, its help page.

    It is an installed game, or the folder of a package with a pyproject.toml. What is checked
    stands in docs/adding-a-game.md. The exit status is 1 when there are faults.
    """

    def told(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    report = check(source, seconds, seed, mutations, told)
    told("")
    click.echo(json.dumps(report.as_dict()) if as_json else _text(report))
    sys.exit(1 if report.errors else 0)


def _text(report: CheckReport) -> str:
    measures = report.measures
    lines = [
        f"{report.title}: {measures.games} random games, {measures.positions} positions checked "
        f"in {report.seconds:.0f} s."
    ]
    if measures.ends:
        lines.append(f"Longest game: {measures.longest} plies.")
    else:
        lines.append(f"Not shown to end; longest game found: {measures.longest} plies.")
    slowest, _ = measures.slowest
    lines.append(
        f"Most moves in a position: {measures.most_moves}. Widest text board: {measures.widest} "
        f"columns. Slowest `legal_moves`: {1000 * slowest:.0f} ms."
    )
    for one in report.findings:
        lines += ["", f"{'FAULT' if one.is_error else 'Note'}  {one.code}: {one.text}"]
        lines += [f"    {one.line}"] if one.line else []
    lines += _mutations(report.mutations)
    lines += ["", "No fault found." if not report.errors else f"{len(report.errors)} faults."]
    return "\n".join(lines)


def _mutations(found: Mutations) -> list[str]:
    if not found.tried:
        return []
    by = ", ".join(f"{number} by {what}" for what, number in sorted(found.noticed.items()))
    lines = [
        "",
        f"{found.tried} of {found.possible} changes of the rules tried: "
        f"{sum(found.noticed.values())} noticed ({by}), {found.same} without effect on a game, "
        f"{len(found.unnoticed)} that nothing notices.",
    ]
    for one in sorted(found.unnoticed, key=lambda one: one.text):
        lines += [f"  {one.text}", f"    {one.line}"]
    return lines
