"""`sarsen check`: what is wrong with a game, each fault with a command that shows it."""

from __future__ import annotations

import json
import os
import sys

import click

from sarsen.games import names
from sarsen.lab.arguments import LabCommand, read_words
from sarsen.lab.checking.bounded import check
from sarsen.lab.checking.check import COMPARISONS
from sarsen.lab.checking.report import CAUSES, USUAL, CheckReport, CheckRequest, Measures, Mutations


@click.command("check", cls=LabCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="FOLDER|GAME [-OPTIONS]")
@click.option("--moves", metavar='"M1 M2 …"', help="Check the positions of this line alone.")
@click.option("--only", type=click.Choice([*COMPARISONS]), help="Make this comparison alone.")
@click.option(
    "--seconds",
    type=click.FloatRange(1, 3600),
    default=USUAL,
    show_default=True,
    help="Of the processor, for random games, comparisons and changed rules, roughly. The rest "
    "takes 15 to 20 seconds more.",
)
@click.option(
    "--mutations",
    type=click.IntRange(0, 100_000),
    default=1000,
    show_default=True,
    metavar="N",
    help="Changes to the rules that are tried at most, in two fifths of the time.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=lambda: min(8, os.cpu_count() or 1),
    show_default="processors",
    help="Changes to the rules that are tried at a time.",
)
@click.option(
    "--counts",
    type=click.Path(exists=True, dir_okay=False),
    help="Counts of move paths by another program.  [default: tests/perft.txt of the package]",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print facts for a program.")
def check_command(
    words: tuple[str, ...],
    moves: str | None,
    only: str | None,
    seconds: float,
    mutations: int,
    jobs: int,
    counts: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Find the faults of a game: its laws, its options, its help page, its rules when changed.

    It is an installed game, or the folder of a package with a pyproject.toml. What is checked
    is described in docs/adding-a-game.md. Each fault comes with a command that finds it again: with
    --moves one line of play is checked, in seconds. The exit status is 1 when there are faults.
    """
    arguments = read_words(words)
    if len(arguments.others) != 1:
        raise click.UsageError("Which game, or which folder? Name one.")
    (source,) = arguments.others
    line = None if moves is None and not arguments.options else (arguments.options, moves or "")

    def told(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    request = CheckRequest(source, seconds, seed, mutations, counts or "", line, only or "", jobs)
    report = check(request, told)
    told("")
    click.echo(json.dumps(report.as_dict()) if as_json else _text(report))
    found = [*report.findings, *report.mutations.unnoticed]
    is_shown = any("sarsen show " in one.line + one.shown for one in found)
    if not as_json and is_shown and report.name not in names():
        path = source if os.sep in source else f"./{source}"
        click.echo(f"`sarsen show` works when the game is installed: pip install -e {path}")
    sys.exit(1 if report.errors else 0)


def _text(report: CheckReport) -> str:
    lines = [f"{report.title}, checked in {report.seconds:.0f} s"]
    figures = _figures(report.measures, report.mutations)
    for block, findings in report.blocks.items():
        mark = "✗" if any(one.is_error for one in findings) else "✓"
        lines.append(f"{mark} {block:<14} {figures.get(block, '')}".rstrip())
    for one in report.findings:
        lines += ["", f"{'FAULT' if one.is_error else 'Note'}  {one.code}: {one.text}"]
        lines += [f"    {line}" for line in (one.shown, one.line) if line]
        if one.code in CAUSES and one is not report.errors[-1]:
            lines.append(f"    Mend {one.code} first: the faults below may follow from it.")
    for one in sorted(report.mutations.unnoticed, key=lambda one: one.text):
        lines += ["", one.text, f"    {one.line}"]
    return "\n".join([*lines, "", _verdict(report)])


def _verdict(report: CheckReport) -> str:
    if report.errors:
        return _number(len(report.errors), "fault")
    if any(one.code == "may-not-end" for one in report.findings):
        return "No fault found, but nothing shows that every game ends: see the note `may-not-end`."
    return "No fault found."


def _figures(measures: Measures, changes: Mutations) -> dict[str, str]:
    seconds, name, _ = measures.slowest
    longest = f"longest game {measures.longest} plies"
    if not measures.ends:
        longest = f"not shown to end, {longest}"
    by = ", ".join(f"{count} by {what}" for what, count in sorted(changes.noticed.items()))
    return {
        "Line": f"{measures.positions} of {_number(measures.longest + 1, 'position')} looked at",
        "Help page": _number(measures.examples, "example"),
        "Laws": f"{_number(measures.games, 'random game')}, {measures.positions} positions; "
        f"{measures.bare_games} games without a drawing",
        "Extremes": f"{longest}; most moves {measures.most_moves}; widest text "
        f"{measures.widest} columns; slowest call `{name}` {1000 * seconds:.0f} ms",
        "Comparisons": "lesson, options, swaps, positions that come again, symmetries, "
        "a fresh process",
        "Changed rules": f"{changes.tried} of {changes.possible} changes tried: noticed "
        f"{sum(changes.noticed.values())} ({by}), without effect on a game {changes.same}, "
        f"noticed by nothing {len(changes.unnoticed)}",
    }


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
