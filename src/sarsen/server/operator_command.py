"""Who operates the server is said at its own machine, and nowhere else."""

from __future__ import annotations

import click


@click.group("operator")
def operator_command() -> None:
    """Say who operates this server, at the pages that only operators see.

    The folder of the server is SARSEN_DATA, as for `serve`.
    """


@operator_command.command()
@click.argument("userid")
def add(userid: str) -> None:
    """Make a player an operator; he is told by mail."""
    _begin()
    from django.conf import settings
    from django.utils import timezone

    from sarsen.services.operating.roles import add_operator

    player = add_operator(userid, timezone.now())
    address = f"{settings.SARSEN_URL}/{settings.SARSEN_OPERATOR_PATH}"
    click.echo(f"{player.userid} operates this server now: {address}")


@operator_command.command()
@click.argument("userid")
def remove(userid: str) -> None:
    """Make an operator a player like others again; he is logged out, and told by mail."""
    _begin()
    from django.utils import timezone

    from sarsen.services.operating.roles import remove_operator

    player = remove_operator(userid, timezone.now())
    click.echo(f"{player.userid} does not operate this server any more.")


@operator_command.command("list")
def list_operators() -> None:
    """Name the operators, one a line."""
    _begin()
    from sarsen.services.operating.roles import operators

    for userid in operators():
        click.echo(userid)


def _begin() -> None:
    from sarsen.server.setup import require_tables, set_up_to_read

    set_up_to_read()
    require_tables()
