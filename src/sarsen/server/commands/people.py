"""Operators are named at the server's own machine, and nowhere else."""

from __future__ import annotations

import click

from sarsen.server.commands.data_option import with_data_option


@click.group("operator")
def operator_command() -> None:
    """List or change the operators of this server, who have administration pages."""


@operator_command.command()
@with_data_option
@click.argument("userid")
def add(userid: str) -> None:
    """Make a player an operator, and tell them by mail."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from django.conf import settings
    from django.utils import timezone

    from sarsen.services.admin.roles import OPERATOR_PATH, add_operator

    player = add_operator(userid, timezone.now())
    address = f"{settings.SARSEN_URL}/{OPERATOR_PATH}"
    click.echo(f"{player.userid} is now an operator of this server: {address}")


@operator_command.command()
@with_data_option
@click.argument("userid")
def remove(userid: str) -> None:
    """Remove an operator; they are logged out and told by mail."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from django.utils import timezone

    from sarsen.services.admin.roles import remove_operator

    player = remove_operator(userid, timezone.now())
    click.echo(f"{player.userid} is no longer an operator of this server.")


@operator_command.command("list")
@with_data_option
def list_operators() -> None:
    """List the operators, one per line."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.services.admin.roles import operators

    for userid in operators():
        click.echo(userid)


@click.command("forget")
@with_data_option
@click.argument("userid")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask for confirmation.")
def forget_command(userid: str, is_sure: bool) -> None:
    """Delete a player's personal data on request: addresses, texts, settings, keys, the name.

    Their running games are resigned. All their games stay, under a neutral name such as
    `former-player-12`, because they are their opponents' games, too. The userid is not given to
    anyone else. This cannot be undone. Earlier backups still contain everything: delete them in
    due time.

    To give them a copy of their data first, use `sarsen export --of USERID`. The data folder is
    SARSEN_DATA, as for `serve`.
    """
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from django.utils import timezone

    from sarsen.services.accounts.leaving import forget
    from sarsen.services.after_events import AFTER_EVENTS
    from sarsen.services.players import find_any_player

    player = find_any_player(userid)
    if not is_sure:
        click.confirm(f"Delete {player.userid} permanently?", abort=True, err=True)
    farewell = forget(player, timezone.now(), AFTER_EVENTS)
    resigned = f" Resigned games: {len(farewell.boards)}." if farewell.boards else ""
    click.echo(f"Deleted: their games now belong to {farewell.userid}.{resigned}")
