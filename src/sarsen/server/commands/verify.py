"""`sarsen verify`: all that a server has stored, or records in files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

import click


@click.command("verify")
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of the server.  [default: SARSEN_DATA]",
)
@click.option("--board", type=click.IntRange(1, 999_999_999), help="Only this board.")
@click.option("--key", "keys", multiple=True, metavar="KEY", help="Check signatures with this key.")
@click.option("--keys", "saved", type=click.File(encoding="utf-8"), help="The same with a file.")
@click.option("--url", metavar="URL", help="The same with the keys of the server there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def verify_command(
    files: tuple[Path, ...],
    data: Path | None,
    board: int | None,
    keys: tuple[str, ...],
    saved: TextIO | None,
    url: str | None,
    as_json: bool,
) -> None:
    """Verify what this server has stored; with a FILE, prove the records in it.

    Without a file, every board is replayed from its events under the rules, and compared
    with what is kept of it; results, standings and ratings are counted again; damage and
    rows that belong to nothing are looked for. It only reads, and may run beside the
    server. Each difference is a line.

    With a FILE, each record must be legal to its last move and end as the rules say. A file
    holds records of the text form one after another, or one JSON object a line, of any
    size; - is standard input. With a key, a record must also be signed with it: a server
    shows its keys at /.well-known/sarsen-keys, and a saved copy of that page is a file for
    --keys. docs/records.md specifies both forms.

    Ends with 1 when something differs, or a record does not hold.
    """
    has_keys = bool(keys) or saved is not None or url is not None
    if files and (data is not None or board is not None):
        raise click.UsageError("--data and --board are of a server; a FILE needs neither")
    if has_keys and not files:
        raise click.UsageError("--key, --keys and --url prove records: name their FILE")
    if files:
        from sarsen.doors.cli.verify import prove_files

        sys.exit(prove_files(files, keys, saved, url, as_lines=as_json))
    if data is not None:
        os.environ["SARSEN_DATA"] = str(data.absolute())
    from sarsen.server.setup import require_tables, set_up_to_read

    set_up_to_read()
    require_tables()
    from sarsen.doors.cli.verify import verify_server

    sys.exit(verify_server(board, as_json=as_json))
