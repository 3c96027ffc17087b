"""The commands on records: `verify`, `export`, `import`, `key` and `dataset`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

import click


@click.command("export")
@click.option("--game", default="", help="Only games of this kind.")
@click.option("--player", default="", metavar="USERID", help="Only games of this player.")
@click.option("--board", type=click.IntRange(1, 999_999_999), help="Only this board.")
@click.option("--json", "form", flag_value="json", help="One JSON object a line.")
@click.option("--sgf", "form", flag_value="sgf", help="For programs that read SGF.")
@click.option("--private", "has_private", is_flag=True, help="Private boards, too.")
@click.option("--all-public", is_flag=True, help="All public data of the server, as JSON lines.")
@click.option("--of", "person", metavar="USERID", help="All that is kept of one player.")
@click.option("--schema", "is_schema", is_flag=True, help="Print the schema of --all-public.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file.  [default: standard output]",
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
    """Write finished games of this server as signed records; docs/records.md says in which form.

    Without an option: all public ones. With --all-public: players, ratings and all boards
    with all that happened at them, running ones too, and in it the record of every finished
    game, so that `sarsen import` and `sarsen verify` read it. With --of: one player's own
    file, as they get it by `export` themselves. The folder of the server is SARSEN_DATA, as for
    `serve`.
    """
    others = (all_public, person, is_schema)
    if sum(map(bool, others)) > 1 or (
        any(others) and any((game, player, board, form, has_private))
    ):
        raise click.UsageError("--all-public, --of and --schema each stand alone, or with -o")
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
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option("--dry-run", "is_dry", is_flag=True, help="Only prove them, and store nothing.")
@click.option("--as-finished", is_flag=True, help="Games without an end, too, as broken off.")
@click.option(
    "--map",
    "names",
    multiple=True,
    metavar="NAME=USERID",
    help="A name in the records is this account here.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a record.")
def import_command(
    files: tuple[Path, ...],
    is_dry: bool,
    as_finished: bool,
    names: tuple[str, ...],
    as_json: bool,
) -> None:
    """Take in records of games that were played elsewhere, as finished boards.

    Each is proved by replay first; one that does not hold is named with its first bad ply
    and left out. Imported games count for no rating and no standing, and nobody is told.
    The same record a second time is passed over. Ends with 1 when a record is refused.

    A FILE holds records as `sarsen export` writes them, of any number; - is standard input.
    """
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.doors.cli.record_files import ImportOptions, import_files
    from sarsen.services.records.importing import people

    pairs = dict(_pair(name) for name in names)
    options = ImportOptions(is_dry=is_dry, as_finished=as_finished, known=people(pairs))
    sys.exit(import_files(files, options, as_json=as_json))


@click.command("key")
@click.option("--new", "is_new", is_flag=True, help="Sign with a new key from now on.")
@click.option("--pem", "as_pem", is_flag=True, help="As other programs take keys.")
def key_command(is_new: bool, as_pem: bool) -> None:
    """Show the public keys that records of this server are signed with, the present one first."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.doors.cli.verify import change_key, show_keys
    from sarsen.services.records.signatures import public_keys

    if is_new:
        change_key()
        return
    show_keys(public_keys(), as_pem=as_pem)


@click.command("dataset")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--names", "has_names", is_flag=True, help="Userids and board numbers as they are.")
@click.option(
    "--licence",
    default="unknown",
    show_default=True,
    help="What the card says of use: cc-by-4.0, for example.",
)
@click.option(
    "--salt",
    type=click.File(),
    help="File, or - for standard input, with a secret for the same pseudonyms in several sets."
    "  [default: random]",
)
def dataset_command(folder: Path, has_names: bool, licence: str, salt: TextIO | None) -> None:
    """Write all finished public games into FOLDER: a table a game, and a card that describes it.

    Pseudonyms stand for players unless --names is given. docs/research.md says more. The
    folder of the server is SARSEN_DATA, as for `serve`.
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
