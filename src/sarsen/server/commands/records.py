"""The commands on records: `verify`, `export`, `import`, `key` and `dataset`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TextIO, TypeVar

import click

from sarsen.server.commands.data_option import with_data_option

_Function = TypeVar("_Function", bound=Callable[..., None])


def _with_keys(command: _Function) -> _Function:
    """Add the options that name the keys of signatures: `keys`, `saved` and `url`."""
    options = (
        click.option(
            "--key", "keys", multiple=True, metavar="KEY", help="Verify signatures with this key."
        ),
        click.option(
            "--keys",
            "saved",
            type=click.File(encoding="utf-8"),
            help="Verify signatures with the keys in this file.",
        ),
        click.option(
            "--url",
            metavar="URL",
            help="Verify signatures with the keys of the server at this URL.",
        ),
    )
    return reduce(lambda decorated, option: option(decorated), reversed(options), command)


@click.command("export")
@with_data_option
@click.option("--game", default="", help="Only boards of this game.")
@click.option("--player", default="", metavar="USERID", help="Only boards of this player.")
@click.option("--board", type=click.IntRange(1, 999_999_999), help="Only this board.")
@click.option("--json", "form", flag_value="json", help="Write one JSON object per line.")
@click.option("--sgf", "form", flag_value="sgf", help="Write SGF.")
@click.option("--private", "has_private", is_flag=True, help="Include private boards.")
@click.option("--all-public", is_flag=True, help="All public data of the server, as JSON Lines.")
@click.option("--of", "person", metavar="USERID", help="All data stored about one player.")
@click.option("--schema", "is_schema", is_flag=True, help="Print the JSON schema of --all-public.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to this file.  [default: standard output]",
)
def export_command(
    game: str,
    player: str,
    board: int | None,
    form: str | None,
    has_private: bool,
    all_public: bool,
    person: str | None,
    is_schema: bool,
    output: Path | None,
) -> None:
    """Export finished games of this server as signed records; see docs/records.md.

    Without options, all public games are exported. With --all-public, the export contains players,
    ratings, and all boards with their events, including running ones, and the record of every
    finished game, so that `sarsen import` and `sarsen verify` can read it. With --of, it contains
    all data of one player, as the player's own `export` does. The data folder is SARSEN_DATA, as
    for `serve`.
    """
    others = (all_public, person, is_schema)
    if sum(map(bool, others)) > 1 or (
        any(others) and any((game, player, board, form, has_private))
    ):
        raise click.UsageError(
            "--all-public, --of and --schema cannot be combined with other options than -o"
        )
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.doors.cli.record_files import export, export_everything, export_person, show_schema
    from sarsen.services.records.collections import Selection

    if is_schema:
        show_schema(output)
        return
    if all_public:
        export_everything(output)
        return
    if person:
        export_person(person, output)
        return
    selection = Selection(game, player, board, has_private=has_private)
    export(selection, form or "text", output)


@click.command("import")
@with_data_option
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option("--dry-run", "is_dry", is_flag=True, help="Only verify the records; store nothing.")
@click.option("--as-finished", is_flag=True, help="Also import unfinished games, as broken off.")
@click.option(
    "--map",
    "names",
    multiple=True,
    metavar="NAME=USERID",
    help="Import the player NAME as the account USERID.",
)
@_with_keys
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per record.")
def import_command(
    files: tuple[Path, ...],
    is_dry: bool,
    as_finished: bool,
    names: tuple[str, ...],
    keys: tuple[str, ...],
    saved: TextIO | None,
    url: str | None,
    as_json: bool,
) -> None:
    """Import records of games played elsewhere, as finished boards.

    Each record is first verified by replay; an invalid one is reported with its first bad ply and
    skipped. Imported games count for neither ratings nor standings, and no notices are sent. A
    record that was imported before is skipped. The exit status is 1 if a record is refused.

    The signature of a record is exported again only if it was verified, with a key of this server
    or one that is given.

    A FILE contains any number of records as `sarsen export` writes them; - is standard input.
    """
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.doors.cli.record_files import ImportOptions, import_files
    from sarsen.doors.cli.verify import read_given_keys
    from sarsen.services.records.importing import players_by_name
    from sarsen.services.records.signatures import public_keys

    pairs = dict(_pair(name) for name in names)
    options = ImportOptions(
        is_dry=is_dry,
        as_finished=as_finished,
        known=players_by_name(pairs),
        keys=(*(read_given_keys(keys, saved, url) or ()), *public_keys()),
    )
    sys.exit(import_files(files, options, as_json=as_json))


@click.command("key")
@with_data_option
@click.option("--new", "is_new", is_flag=True, help="Sign with a new key from now on.")
@click.option("--pem", "as_pem", is_flag=True, help="Print keys in PEM format.")
def key_command(is_new: bool, as_pem: bool) -> None:
    """Show the public keys that sign records of this server, the current one first."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.doors.cli.verify import change_key, show_keys
    from sarsen.services.records.signatures import public_keys

    if is_new:
        change_key()
        return
    show_keys(public_keys(), as_pem=as_pem)


@click.command("dataset")
@with_data_option
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--names", "has_names", is_flag=True, help="Keep userids and board numbers.")
@click.option(
    "--licence",
    default="unknown",
    show_default=True,
    help="Licence for the dataset card, such as cc-by-4.0.",
)
@click.option(
    "--salt",
    type=click.File(),
    help="File, or - for standard input, with a secret that keeps pseudonyms the same across "
    "datasets.  [default: random]",
)
def dataset_command(folder: Path, has_names: bool, licence: str, salt: TextIO | None) -> None:
    """Export all finished public games to FOLDER: a table per game, and a dataset card.

    Players are replaced by pseudonyms unless --names is given. See docs/research.md. The data
    folder is SARSEN_DATA, as for `serve`.
    """
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.doors.cli.record_files import write_dataset

    write_dataset(
        folder, has_names=has_names, licence=licence, salt=salt.read().strip() if salt else ""
    )


@click.command("verify")
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Data folder of the server.  [default: SARSEN_DATA]",
)
@click.option("--board", type=click.IntRange(1, 999_999_999), help="Only this board.")
@_with_keys
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def verify_command(
    files: tuple[Path, ...],
    data: Path | None,
    board: int | None,
    keys: tuple[str, ...],
    saved: TextIO | None,
    url: str | None,
    as_json: bool,
) -> None:
    """Verify the stored data of this server; with a FILE, verify the records in it.

    Without a file, every board is replayed from its events and compared with its stored state;
    results, standings and ratings are computed again; and the database is checked for damage and
    for rows without an owner. The command only reads, and can run while the server runs. It prints
    one line per difference.

    With a FILE, each record must be legal to its last move and end as the rules require. A file
    contains records in text form one after another, or one JSON object per line, and may have any
    size; - is standard input. With a key, each record must also be signed with it: a server
    publishes its keys at /.well-known/sarsen-keys, and --keys takes a saved copy of that page.
    docs/records.md specifies both formats.

    The exit status is 1 if there is a difference or an invalid record.
    """
    has_keys = bool(keys) or saved is not None or url is not None
    if files and (data is not None or board is not None):
        raise click.UsageError("--data and --board cannot be combined with a FILE")
    if has_keys and not files:
        raise click.UsageError("--key, --keys and --url need a FILE")
    if files:
        from sarsen.server.setup import set_up_to_read

        set_up_to_read()  # no server is needed, but what checks signatures imports its tables
        from sarsen.doors.cli.verify import prove_files

        sys.exit(prove_files(files, keys, saved, url, as_lines=as_json))
    from sarsen.server.setup import open_stored_data

    open_stored_data(data)
    from sarsen.doors.cli.verify import verify_server

    sys.exit(verify_server(board, as_json=as_json))


def _pair(text: str) -> tuple[str, str]:
    name, sign, userid = text.rpartition("=")
    if not (name and sign and userid):
        raise click.UsageError(f"{text!r} is not NAME=USERID, such as --map Ann=ann")
    return name, userid
