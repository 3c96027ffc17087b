"""`sarsen forget`: take a person out of the server, and leave the games."""

from __future__ import annotations

import click


@click.command("forget")
@click.argument("userid")
@click.option("--yes", "is_sure", is_flag=True, help="Ask nothing.")
def forget_command(userid: str, is_sure: bool) -> None:
    """Forget a player who asks for it: addresses, words, settings, keys, the name.

    His running games are resigned, and all his games stay under a neutral name, such as
    `former-player-12`: they are his opponents' games, too. Nobody else gets the userid.
    This cannot be undone. Backups made before still have everything: remove them in time.

    `sarsen export --of USERID` gives him first what is kept of him. The folder of the
    server is SARSEN_DATA, as for `serve`.
    """
    from sarsen.server.setup import require_tables, set_up_to_read

    set_up_to_read()
    require_tables()
    from django.utils import timezone

    from sarsen.services.keeping.people import find_anybody
    from sarsen.services.leaving import forget

    player = find_anybody(userid)
    if not is_sure:
        click.confirm(f"Forget {player.userid} for ever?", abort=True, err=True)
    done = forget(player, timezone.now())
    resigned = f" {len(done.boards)} running games were resigned." if done.boards else ""
    click.echo(f"Forgotten: the games are those of {done.userid} now.{resigned}")
