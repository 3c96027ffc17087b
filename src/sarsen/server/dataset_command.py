"""The command that writes a set of data from this server's own database."""

from __future__ import annotations

from pathlib import Path

import click


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
    envvar="SARSEN_DATASET_SALT",
    default="",
    help="For the same pseudonyms in several sets; keep it secret.  [default: random]",
)
def dataset_command(folder: Path, has_names: bool, licence: str, salt: str) -> None:
    """Write all finished public games into FOLDER: a table a game, and a card that describes it.

    Pseudonyms stand for players unless --names is given. docs/research.md says more. The
    folder of the server is SARSEN_DATA, as for `serve`.
    """
    from sarsen.server.setup import require_tables, set_up_to_read

    set_up_to_read()
    require_tables()
    from sarsen.doors.cli.dataset import write

    write(folder, has_names=has_names, licence=licence, salt=salt)
