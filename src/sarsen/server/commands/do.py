"""`sarsen do LINE`: any command line, at the server of this machine or at the one logged in at."""

from __future__ import annotations

import os
import sys
from typing import TextIO

import click

from sarsen.client.logins import LOGIN
from sarsen.doors.cli.line_texts import MAX_READ
from sarsen.doors.cli.login import is_logged_in
from sarsen.doors.cli.server_lines import LineCommand, perform_line

# Anyone who sets one of these means the server of this machine.
OWN = ("SARSEN_DATA", "DATABASE_URL", "SARSEN_USERID")


@click.command("do", cls=LineCommand)
@click.option("--local", "is_local", is_flag=True, help="Use this machine's own database.")
@click.pass_context
def do_command(
    ctx: click.Context,
    words: tuple[str, ...],
    is_local: bool,
    body: TextIO | None,
    messages: tuple[str, ...],
    as_json: bool,
    is_sure: bool,
    server: str,
) -> None:
    """Run one command line, even one that starts like a command of this program.

    LINE is a line as in a mail:  sarsen do druid move 123 b2-b4

    It is sent to the server that you are logged in to. If you are not logged in, with --local, or
    if SARSEN_DATA, DATABASE_URL or SARSEN_USERID is set, it runs on this machine's own database.
    There, you authenticate with the environment variables SARSEN_USERID and SARSEN_PASSWORD; a
    password in the line can be read by other users of the machine.
    """
    has_own = is_local or any(os.environ.get(name) for name in OWN)
    if server or (not has_own and is_logged_in()):
        status = perform_line(
            words, body, messages, server, as_json=as_json, is_sure=is_sure, before=("do",)
        )
        sys.exit(status)
    from sarsen.server.setup import require_data, set_up_privately

    require_data(LOGIN)
    set_up_privately()
    from sarsen.doors.cli.server_commands import do
    from sarsen.doors.cli.shell_hints import ShellForm
    from sarsen.server.releases import require_own_tables

    require_own_tables()
    text = "\n".join(messages) or (body.read(MAX_READ) if body else "")
    form = ShellForm(("do", "--local") if is_local else ("do",))
    sys.exit(do(" ".join(words), text, form, as_json=as_json))
