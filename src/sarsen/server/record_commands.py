"""Commands about records that need this server's own database or keys."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command("export")
@click.option("--game", default="", help="Only games of this kind.")
@click.option("--player", default="", metavar="USERID", help="Only games of this player.")
@click.option("--board", type=click.IntRange(1, 999_999_999), help="Only this board.")
@click.option("--json", "form", flag_value="json", help="One JSON object a line.")
@click.option("--sgf", "form", flag_value="sgf", help="For programs that read SGF.")
@click.option("--private", "has_private", is_flag=True, help="Private boards, too.")
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
    output: Path | None,
) -> None:
    """Write finished games of this server as signed records; docs/records.md says in which form.

    Without an option: all public ones. The folder of the server is SARSEN_DATA, as for `serve`.
    """
    _begin()
    from sarsen.doors.cli.exporting import export
    from sarsen.services.record_collections import Selection

    selection = Selection(game, player, board, has_private=has_private)
    export(selection, form or "text", output)


@click.command("key")
@click.option("--new", "is_new", is_flag=True, help="Sign with a new key from now on.")
@click.option("--pem", "as_pem", is_flag=True, help="As other programs take keys.")
def key_command(is_new: bool, as_pem: bool) -> None:
    """Show the public keys that records of this server are signed with, the present one first."""
    _begin()
    from sarsen.doors.cli.keys import change_key, show_keys
    from sarsen.services.record_keys import public_keys

    if is_new:
        change_key()
        return
    show_keys(public_keys(), as_pem=as_pem)


def _begin() -> None:
    os.umask(0o077)  # the data folder holds keys, and what is written may hold private games
    from sarsen.server.setup import set_up

    set_up()
