"""`sarsen tui`: the full-screen terminal. Textual is loaded when it runs, not before."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sarsen.core.errors import UserError
from sarsen.language.translating import _, current_language, translated, use_language

if TYPE_CHECKING:
    from sarsen.client.logins import StoredLogin

STANDARD_INPUT = 0  # the terminal that one types into


@click.command("tui")
@click.argument("board", type=click.IntRange(min=1), required=False)
@click.option(
    "--server", default="", metavar="URL", help="Use this server instead of the current one."
)
@click.option("--light/--dark", "is_light", default=None, help="Colour scheme of the board.")
@click.pass_context
def tui_command(ctx: click.Context, board: int | None, server: str, is_light: bool | None) -> None:
    """Play in full screen, with keyboard or mouse; BOARD is the number of the first board.

    Log in first: sarsen login https://play.example.org

    On the machine of a server this is not needed: the server is found.
    """
    from sarsen.doors.tui.app import TerminalApp, looks_dark
    from sarsen.doors.tui.server import ServerConnection, leave_with

    login = _login(ctx, server)
    if not login.token:
        raise UserError(
            "You are not logged in at {url}.",
            url=login.url,
            code="not-logged-in",
            hint=f"sarsen login {login.url}",
        )
    from sarsen.client import Client

    account = Client(login.url, login.token).account()
    is_dark = looks_dark() if is_light is None else not is_light
    connection = ServerConnection(login.url, login.token)
    app = TerminalApp(connection, account.userid, login.url, board=board, is_dark=is_dark)
    leave_with(STANDARD_INPUT)
    with use_language(account.language or current_language()):
        app.run()


def _login(ctx: click.Context, server: str) -> StoredLogin:
    """Return the current login; where there is none, log in at the server of this machine."""
    from sarsen.client.logins import chosen, local_server

    folder = Path(click.get_app_dir("sarsen"))
    try:
        return chosen(folder, os.environ, server)
    except UserError as refusal:
        if refusal.code != "not-logged-in":
            raise
        url = local_server(os.environ)
        if not url:
            raise
    commands = ctx.find_root().command
    login_command = (
        commands.get_command(ctx, "login") if isinstance(commands, click.Group) else None
    )
    not_logged_in = UserError(
        "You are not logged in. The server of this machine is {url}.",
        url=url,
        code="not-logged-in",
        hint=f"sarsen login {url}",
    )
    if login_command is None or not sys.stdin.isatty():
        raise not_logged_in
    click.echo(translated(not_logged_in.text))
    answer = click.prompt(_("Log in there now? [Y/n]"), default="", show_default=False)
    if answer.strip().lower() not in ("", "y", "yes", *_("y yes").split()):
        raise click.Abort
    ctx.invoke(login_command, address=url)
    return chosen(folder, os.environ)
