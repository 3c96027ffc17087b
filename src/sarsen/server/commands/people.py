"""Operators are named at the server's own machine, and nowhere else."""

from __future__ import annotations

import click


@click.group("operator")
def operator_command() -> None:
    """List or change the operators of this server, who see pages that nobody else sees.

    The folder of the server is SARSEN_DATA, as for `serve`.
    """


@operator_command.command()
@click.argument("userid")
def add(userid: str) -> None:
    """Make a player an operator; they are told by mail."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from django.conf import settings
    from django.utils import timezone

    from sarsen.services.admin.roles import OPERATOR_PATH, add_operator

    player = add_operator(userid, timezone.now())
    address = f"{settings.SARSEN_URL}/{OPERATOR_PATH}"
    click.echo(f"{player.userid} operates this server now: {address}")


@operator_command.command()
@click.argument("userid")
def remove(userid: str) -> None:
    """Make an operator a player like others again; they are logged out, and told by mail."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from django.utils import timezone

    from sarsen.services.admin.roles import remove_operator

    player = remove_operator(userid, timezone.now())
    click.echo(f"{player.userid} does not operate this server any more.")


@operator_command.command("list")
def list_operators() -> None:
    """Name the operators, one a line."""
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.services.admin.roles import operators

    for userid in operators():
        click.echo(userid)


@click.command("forget")
@click.argument("userid")
@click.option("--yes", "is_sure", is_flag=True, help="Ask nothing.")
def forget_command(userid: str, is_sure: bool) -> None:
    """Forget a player who asks for it: addresses, words, settings, keys, the name.

    Their running games are resigned, and all their games stay under a neutral name, such as
    `former-player-12`: they are their opponents' games, too. Nobody else gets the userid.
    This cannot be undone. Backups made before still have everything: remove them in time.

    `sarsen export --of USERID` gives them first what is kept of them. The folder of the
    server is SARSEN_DATA, as for `serve`.
    """
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from django.utils import timezone

    from sarsen.services.accounts.leaving import forget
    from sarsen.services.after_events import AFTER_EVENTS
    from sarsen.services.players import find_anybody

    player = find_anybody(userid)
    if not is_sure:
        click.confirm(f"Forget {player.userid} for ever?", abort=True, err=True)
    farewell = forget(player, timezone.now(), AFTER_EVENTS)
    resigned = f" {len(farewell.boards)} running games were resigned." if farewell.boards else ""
    click.echo(f"Forgotten: the games are those of {farewell.userid} now.{resigned}")
