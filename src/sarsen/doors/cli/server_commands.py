"""`sarsen do`: any command of the language, typed at the server's own terminal."""

from __future__ import annotations

import contextlib
import json
import os
import sys

import click
from django.utils import timezone

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.help.rendering import page_text
from sarsen.language.account_replies import Exported
from sarsen.language.clocks import clock_sentence
from sarsen.language.grammar.sentence import Credentials
from sarsen.language.replies import (
    ChallengeStands,
    HelpPage,
    Moved,
    Refusal,
    Reply,
    Several,
    Table,
    Tables,
    encode,
    sentence,
    table_text,
)
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.accounts.passwords import prove
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.bots.due_boards import has_program_moved
from sarsen.services.command_lines import speak
from sarsen.services.request import NOBODY, Actor, Player

REFUSED = 1
PATIENCE = 30.0  # seconds that a terminal waits for a program's move; Ctrl-C ends it


def do(line: str, body: str, *, as_json: bool) -> int:
    """Perform a line and print its answer; return the exit status.

    The speaker is proved by `USERID PASSWORD` in the line, or by the variables
    SARSEN_USERID and SARSEN_PASSWORD, which no list of processes shows.
    """
    try:
        actor = _actor()
        heard = speak(line, body, actor, "", timezone.now())
        reply, viewer = heard.reply, heard.actor.player
    except UserError as refusal:
        reply, viewer = Refusal(refusal.text, refusal.code, refusal.hint), None
    if as_json:
        click.echo(json.dumps(encode(reply), ensure_ascii=False))
    else:
        _print(reply, viewer)
        if sys.stdout.isatty():
            _wait_for_program(reply, viewer)
    return REFUSED if isinstance(reply, Refusal) else 0


def _actor() -> Actor:
    userid = os.environ.get("SARSEN_USERID", "")
    password = os.environ.get("SARSEN_PASSWORD", "")
    if not userid:
        return NOBODY
    return Actor(prove(Credentials(userid, password), timezone.now()))


def _print(reply: Reply | Refusal, viewer: Player | None) -> None:
    match reply:
        case Refusal():
            click.echo(f"Nothing was changed: {reply.text} [{reply.code}]", err=True)
            if reply.hint:
                click.echo(f"  {reply.hint}", err=True)
        case HelpPage():
            click.echo(page_text(reply))
        case Table():
            click.echo(table_text(reply))
        case Tables():
            click.echo("\n\n".join(map(table_text, reply.tables)) or "Nothing yet.")
        case Several():
            for answer in reply.answers:
                click.echo(f"> {answer.line}")
                _print(answer.reply, viewer)
                click.echo()
        case _:
            _print_deed(reply, viewer)


def _print_deed(reply: Reply, viewer: Player | None) -> None:
    if isinstance(reply, Exported) and viewer is not None:
        # The file alone, so that it can be sent into one.
        for line in export_lines(viewer):
            click.echo(line)
        return
    said = sentence(reply)
    if said:
        click.echo(said)
    for shown in getattr(reply, "shows", ()):
        try:
            view = view_board(
                shown.board, shown.ply, viewer=viewer, tried=shown.tried, event=shown.event
            )
        except UserError as hidden:
            click.echo(hidden.text)
        else:
            _print_board(view, viewer)


def _wait_for_program(reply: Reply | Refusal, viewer: Player | None) -> None:
    """Show a program's answer to the person at the terminal, when it comes soon."""
    if not isinstance(reply, Moved | ChallengeStands) or reply.board is None:
        return
    event = reply.event or 0 if isinstance(reply, Moved) else 0
    with contextlib.suppress(KeyboardInterrupt):
        if has_program_moved(reply.board, event, PATIENCE):
            _print_board(view_board(reply.board, viewer=viewer), viewer)


def _print_board(view: BoardView, viewer: Player | None) -> None:
    sides = zip(view.position.sides, view.players, strict=True)
    click.echo(f"\n{view.title}: {', '.join(f'{side} {player}' for side, player in sides)}")
    click.echo(f"\n{drawing.text(view.position)}\n")
    for effect in view.position.effects():
        click.echo(effect)
    if view.result:
        click.echo(view.result)
    elif view.to_move is not None:
        click.echo(f"{view.players[view.to_move]} moves.")
        if view.clock:
            zone = viewer.timezone if viewer else ""
            click.echo(clock_sentence(view.clock, zone, timezone.now()))
