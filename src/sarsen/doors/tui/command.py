"""`sarsen tui`: the full-screen terminal. Textual is loaded when it runs, not before."""

from __future__ import annotations

import os
from pathlib import Path

import click

from sarsen.core.errors import UserError

STANDARD_INPUT = 0  # the terminal that one types into


@click.command("tui")
@click.argument("board", type=click.IntRange(min=1), required=False)
@click.option("--server", default="", metavar="URL", help="Another server than the current one.")
@click.option("--light/--dark", "is_light", default=None, help="Colours of the board.")
def tui_command(board: int | None, server: str, is_light: bool | None) -> None:
    """Play full screen, by keys or mouse; BOARD is the number of one to begin with.

    Log in first: sarsen login https://play.example.org
    """
    from sarsen.client.logins import chosen
    from sarsen.doors.tui.app import TerminalApp, looks_dark
    from sarsen.doors.tui.calling import Caller
    from sarsen.doors.tui.hanging_up import leave_with

    login = chosen(Path(click.get_app_dir("sarsen")), os.environ, server)
    if not login.token:
        raise UserError(
            f"You are not logged in at {login.url}.",
            code="not-logged-in",
            hint=f"sarsen login {login.url}",
        )
    from sarsen.client import Client

    userid = Client(login.url, login.token).account().userid
    is_dark = looks_dark() if is_light is None else not is_light
    app = TerminalApp(
        Caller(login.url, login.token), userid, login.url, board=board, is_dark=is_dark
    )
    leave_with(STANDARD_INPUT)
    app.run()
