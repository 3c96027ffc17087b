"""`sarsen do`: any command of the language, typed at the server's own terminal."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import replace

import click
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.cli.shell_hints import ShellForm
from sarsen.language.accounts import Exported
from sarsen.language.grammar.tokens import Credentials
from sarsen.language.replies import (
    ChallengeStands,
    Moved,
    Refusal,
    Reply,
    encode,
)
from sarsen.language.translating import ENGLISH, _, translated, use_language
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.accounts.passwords import prove
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.reply_text import board_text, reply_text
from sarsen.services.boards.view import view_board
from sarsen.services.bots.due_boards import has_program_moved
from sarsen.services.command_lines import read_and_perform
from sarsen.services.quoting import with_working_hint
from sarsen.services.request import NOBODY, Actor, Player

REFUSED = 1
TIMEOUT = 30.0  # seconds that a terminal waits for a program's move; Ctrl-C ends it


def do(line: str, body: str, form: ShellForm, *, as_json: bool) -> int:
    """Perform a line and print its answer; return the exit status.

    Args:
        form: How further lines are typed.

    The speaker is proved by `USERID PASSWORD` in the line, or by the variables
    SARSEN_USERID and SARSEN_PASSWORD, which no list of processes shows.
    """
    actor = NOBODY
    try:
        actor = _actor()
        result = read_and_perform(line, body, actor, "", timezone.now())
        reply, viewer, note = result.reply, result.actor.player, result.note
    except UserError as refusal:
        reply, viewer = Refusal(refusal.text, refusal.code, refusal.hint), None
        note = ""
    if isinstance(reply, Refusal):
        reply = with_working_hint(reply, is_known=actor.player is not None)
        reply = replace(reply, hint=form.hint(reply.hint))
    if as_json:
        click.echo(json.dumps(encode(reply), ensure_ascii=False))
    else:
        with use_language(viewer.language if viewer else ENGLISH):
            _print(reply, viewer, BoardCache())
            if note:
                click.echo(translated(note), err=True)
            if sys.stdout.isatty():
                _wait_for_program(reply, viewer)
    return REFUSED if isinstance(reply, Refusal) else 0


def _actor() -> Actor:
    userid = os.environ.get("SARSEN_USERID", "")
    password = os.environ.get("SARSEN_PASSWORD", "")
    if not userid:
        return NOBODY
    return Actor(prove(Credentials(userid, password), timezone.now()), by_password=True)


def _print(reply: Reply | Refusal, viewer: Player | None, boards: BoardCache) -> None:
    if isinstance(reply, Refusal):
        nothing = _("Nothing was changed:")
        click.echo(f"{nothing} {translated(reply.text)} [{reply.code}]", err=True)
        if reply.hint:
            click.echo(f"  {translated(reply.hint)}", err=True)
    elif isinstance(reply, Exported) and viewer is not None:
        # The file alone, so that it can be sent into one.
        for line in export_lines(viewer):
            click.echo(line)
    else:
        click.echo(reply_text(reply, viewer, boards))


def _wait_for_program(reply: Reply | Refusal, viewer: Player | None) -> None:
    """Show a program's answer to the person at the terminal, when it comes soon."""
    if not isinstance(reply, Moved | ChallengeStands) or reply.board is None:
        return
    event = reply.event or 0 if isinstance(reply, Moved) else 0
    with contextlib.suppress(KeyboardInterrupt):
        if has_program_moved(reply.board, event, TIMEOUT):
            text = board_text(view_board(reply.board, viewer=viewer), viewer)
            click.echo(f"\n{text}")
