"""`sarsen export`: the finished games of this server's own database, as records."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
from django.conf import settings
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress, track

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.research.dataset.card import Origin, Tallies, write_card
from sarsen.research.dataset.files import has_parquet, write_folder
from sarsen.research.dataset.rows import Naming, row
from sarsen.services.accounts.forgetting import find_anybody
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.admin import public_data
from sarsen.services.records.collections import (
    PUBLISHED,
    Selection,
    collect,
    count,
    published_games,
)
from sarsen.services.records.recording import RecordFile

FORMS = ("text", "json", "sgf")


def export(selection: Selection, form: str, output: Path | None) -> None:
    """Write the records of a selection, one after another, to a file or to standard output.

    Raises:
        UserError: No such game, player or board; or the file cannot be written.
    """
    total = count(selection)
    console = Console(stderr=True)
    with _opened(output) as file:
        written = 0
        for one in track(
            collect(selection),
            "writing",
            total=total,
            console=console,
            transient=True,
            disable=not console.is_terminal or (output is None and sys.stdout.isatty()),
        ):
            file.write(_written(one, form, is_first=not written))
            written += 1
    if output is not None:
        click.echo(f"{written} {'record' if written == 1 else 'records'} in {output}.", err=True)


def export_everything(output: Path | None) -> None:
    """Write all public data of the server, a line a thing; half of it is never under its name.

    Raises:
        UserError: The file cannot be written.
    """
    boards = public_data.count()
    console = Console(stderr=True)
    is_hidden = not console.is_terminal or (output is None and sys.stdout.isatty())
    progress = Progress(console=console, transient=True, disable=is_hidden)
    with _opened(output) as file, progress as shown:
        task = shown.add_task("writing", total=boards)
        lines = 0
        for line in public_data.public_lines(timezone.now()):
            file.write(f"{line}\n")
            lines += 1
            shown.advance(task, int(line.startswith('{"kind": "board"')))
    if output is not None:
        click.echo(f"{lines} lines with {boards} boards in {output}.", err=True)


def export_person(userid: str, output: Path | None) -> None:
    """Write all that is kept of a player, who asked for it.

    Raises:
        UserError: Nobody is called so; or the file cannot be written.
    """
    player = find_anybody(userid)
    with _opened(output) as file:
        file.writelines(f"{line}\n" for line in export_lines(player))


def show_schema(output: Path | None) -> None:
    """Write the JSON Schema of a line of all public data."""
    with _opened(output) as file:
        file.write(public_data.schema())


def _written(one: RecordFile, form: str, *, is_first: bool) -> str:
    if form == "json":
        return f"{one.json_line}\n"
    if form == "sgf":
        return one.sgf
    return one.text if is_first else f"\n{one.text}"


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """Open the file, which takes its name when all is in it: half an export looks like none."""
    if output is None:
        yield sys.stdout
        return
    draft = output.with_name(f"{output.name}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        draft.replace(output)
    except OSError as refused:
        raise UserError(
            f"{output} cannot be written: {refused.strerror}.",
            code="file-not-written",
            hint="sarsen export -o records.txt",
        ) from None
    finally:
        draft.unlink(missing_ok=True)


def write(folder: Path, *, has_names: bool, licence: str, salt: str) -> None:
    """Write the set of data into a folder that is not there yet.

    Args:
        salt: For the same pseudonyms in several sets; "" for a random one, which is not kept.
    """
    naming = Naming(salt.encode() or secrets.token_bytes(32), has_names)
    origin = Origin(settings.SARSEN_URL, __version__, timezone.now(), licence, has_names)
    tallies = Tallies()
    write_folder(
        folder, _rows(naming), tallies.add, lambda hashes: write_card(tallies, hashes, origin)
    )
    games = sum(tally.games for tally in tallies.by_game.values())
    kinds = "JSON lines and Parquet" if has_parquet() else "JSON lines"
    click.echo(f"{games} games in {folder}: {kinds}, and README.md that describes them.")
    if not has_parquet():
        click.echo('For Parquet, too: pip install "sarsen[dataset]"', err=True)


def _rows(naming: Naming) -> Iterator[dict[str, Any]]:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for game in progress.track(published_games(), count(PUBLISHED), description="writing"):
            yield row(game, naming)
