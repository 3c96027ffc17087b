"""Send a line to a server and print what it answers, as at every other door.

Replies stay plain JSON here: a line loads neither the classes of replies nor the commands.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

import click

from sarsen.client.logins import StoredLogin
from sarsen.client.transport import Refused, ServerReply, Transport, speak
from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.doors.cli.line_texts import HELP, LineText
from sarsen.doors.cli.login import chosen
from sarsen.doors.cli.shell_hints import ShellForm
from sarsen.language.translating import _, current_language, translated, use_language

REFUSED, NOT_ASKED = 1, 2
_MOVING = ("Moved", "ChallengeStands")  # replies after which a program may move
TIMEOUT = 30.0  # seconds that a terminal waits for a program's move; Ctrl-C ends it sooner
SHORTEST_LOOK, MAX_LOOK = 0.2, 2.0  # seconds between two looks at a board


@dataclass(frozen=True)
class RequestOptions:
    """How a line is said.

    Attributes:
        server: An address; "" for the current login.
        is_sure: What the server asks back is answered with yes.
        before: The words between `sarsen` and the line: `do`, or none.
    """

    server: str = ""
    as_json: bool = False
    is_sure: bool = False
    before: tuple[str, ...] = ()

    @property
    def form(self) -> ShellForm:
        """How further lines for the same server are typed."""
        return ShellForm(self.before, ("--server", self.server) if self.server else ())


def perform_and_print(line_text: LineText, options: RequestOptions) -> int:
    """Perform a line at a server and print the answer; return the exit status."""
    login = None
    try:
        login = chosen(options.server)
        with closing(Transport(login.url, login.token)) as transport:
            answer = _send(line_text, options, transport)
            if sys.stdout.isatty() and not options.as_json and answer.kind in _MOVING:
                _wait_for_program(answer.facts, transport)
    except UserError as refusal:
        if refusal.code == "not-logged-in" and line_text.verb in HELP:
            return _help_here(line_text, options)
        return _refuse(refusal, options, login)
    return 0


def _send(line_text: LineText, options: RequestOptions, transport: Transport) -> ServerReply:
    """Send a line, and the yes to what the server asks back; return the last answer."""
    answer = speak(transport, line_text.line, line_text.body)
    with use_language(transport.language):
        question = read_question(answer.facts)
    if question is None or not options.is_sure:
        _print(answer, transport, options)
    with use_language(transport.language):
        line = _answer_line(question, options) if question is not None else ""
    if question is None or not line:
        return answer
    answer = speak(transport, line, board=question.board, matter=question.matter)
    _print(answer, transport, options)
    return answer


def _answer_line(question: PendingQuestion, options: RequestOptions) -> str:
    """Return the line that answers a question, by the person here; "" without an answer."""
    if options.is_sure:
        return question.yes
    if sys.stdin.isatty() and sys.stdout.isatty() and not options.as_json:
        prompt = f"{question.text} {_('[y/N]')}"
        answer = click.prompt(prompt, default="", show_default=False, err=True)
        is_yes = answer.strip().lower() in ("y", "yes", *_("y yes").split())
        return question.yes if is_yes else question.no
    if not options.as_json:
        click.echo(f"  {options.form.line(question.yes)}", err=True)
    return ""


def _print(answer: ServerReply, transport: Transport, options: RequestOptions) -> None:
    if options.as_json:
        click.echo(json.dumps(answer.facts, ensure_ascii=False))
    elif answer.kind == "Exported":
        # The file alone, so that it can be sent into one.
        for line in transport.lines("account/export", "application/jsonl"):
            click.echo(line)
    else:
        click.echo(answer.text)


def _wait_for_program(facts: Mapping[str, Any], transport: Transport) -> None:
    """Show a program's answer, when it comes soon."""
    board = facts.get("board")
    if board is None:
        return
    with suppress(KeyboardInterrupt):
        if _has_program_moved(transport, board, facts.get("event") or 0):
            click.echo(f"\n{speak(transport, f'show {board}').text}")


def _has_program_moved(transport: Transport, number: int, event: int) -> bool:
    """Wait a while at most, while a program is to move; return whether one has moved.

    Args:
        event: How many events the board had before.
    """
    limit, wait = time.monotonic() + TIMEOUT, SHORTEST_LOOK
    board = transport.ask("GET", f"boards/{number}")
    mover = _program_to_move(board)
    if mover:
        from rich.console import Console

        with Console(stderr=True).status(
            _("{player} is thinking; Ctrl-C stops waiting").format(player=mover)
        ):
            while _program_to_move(board) and time.monotonic() < limit:
                # Weak programs answer at once, strong ones in seconds: less often each time.
                time.sleep(wait)
                wait = min(2 * wait, MAX_LOOK)
                board = transport.ask("GET", f"boards/{number}")
    return bool(board["event"] > event)


def _program_to_move(board: Mapping[str, Any]) -> str:
    mover = "" if board["to_move"] is None else str(board["players"][board["to_move"]])
    return mover if mover in board["programs"] else ""


def _help_here(line_text: LineText, options: RequestOptions) -> int:
    """Return a page of help without a server."""
    from sarsen.help.pages import find_page
    from sarsen.help.rendering import page_text
    from sarsen.language.replies import encode

    try:
        page = find_page(tuple(word.lower() for word in line_text.rest))
    except UserError as refusal:
        return _refuse(refusal, options, None)
    if options.as_json:
        click.echo(json.dumps(encode(page), ensure_ascii=False))
    else:
        click.echo(page_text(page))
    return 0


def _refuse(refusal: UserError, options: RequestOptions, login: StoredLogin | None) -> int:
    text, hint = terminal_refusal(refusal, login.url if login else "")
    hint = options.form.hint(hint)
    if options.as_json:
        # As `encode` writes a Refusal.
        facts = {"kind": "Refusal", "text": text, "code": refusal.code, "hint": hint}
        click.echo(json.dumps(facts, ensure_ascii=False))
    else:
        with use_language(refusal.language if isinstance(refusal, Refused) else current_language()):
            click.echo(f"{_('Nothing was changed:')} {translated(text)} [{refusal.code}]", err=True)
            if hint:
                click.echo(f"  {translated(hint)}", err=True)
    return REFUSED if isinstance(refusal, Refused) else NOT_ASKED


def terminal_refusal(refusal: UserError, url: str) -> tuple[str, str]:
    """Return text and hint of a refusal for a person at a terminal.

    The API tells programs to send a token; here one logs in.
    """
    login = f"sarsen login {url}".strip()
    match refusal.code:
        case "who-speaks":
            return Phrase("Please log in first."), login
        case "unknown-token":
            return (
                Phrase(
                    "You are logged out at {url}: the token was revoked, or has expired.", url=url
                ),
                login,
            )
        case "scope-missing":
            return refusal.text, f"{login} --again"
        case "server-away":
            return refusal.text, Phrase("Try again later; sarsen login --list shows your servers.")
        case _:
            return refusal.text, refusal.hint


@dataclass(frozen=True)
class PendingQuestion:
    """Something the server does only after a yes.

    Attributes:
        no: What says no: else the server goes on waiting for a yes.
        matter: What is asked at the board: a later question is not answered with this yes.
    """

    text: str
    yes: str
    no: str
    board: int | None = None
    matter: str = ""


def read_question(facts: Mapping[str, Any]) -> PendingQuestion | None:
    """Return what an encoded reply asks back, if it does."""
    match facts:
        case {"kind": "ResignAsked", "board": int(board)}:
            return _at_board(_("Resign?"), board, "resign")
        case {"kind": "Submitted", "board": int(board), "text": str(text)}:
            # Loads the classes of replies, which other lines do without.
            from sarsen.language.moves import move_matter

            return _at_board(_("Play {move}?").format(move=text), board, move_matter(text))
        case {"kind": "BroadcastAsked"}:
            return PendingQuestion(
                _("Send it to everyone?"), "confirm broadcast", "confirm broadcast no"
            )
        case {"kind": "ContestLeaveAsked", "number": int(number)}:
            # By its number: the server keeps one question, and may have asked about another since.
            line = f"contest leave {number}"
            return PendingQuestion(_("Leave it?"), f"{line} yes", f"{line} no")
        case {"kind": "ContestCloseAsked", "number": int(number), "reason": str(reason)}:
            line = f"contest close {number}"
            yes = f"{line} yes {reason}".strip()
            return PendingQuestion(_("Close it for everybody?"), yes, f"{line} no")
        case {"kind": "SignOffAsked", "forgets": True}:
            return PendingQuestion(
                _("Delete all your data?"), "confirm forget", "confirm forget no"
            )
        case {"kind": "SignOffAsked"}:
            return PendingQuestion(
                _("Close your account?"), "confirm signoff", "confirm signoff no"
            )
    return None


def _at_board(text: str, board: int, matter: str) -> PendingQuestion:
    return PendingQuestion(text, f"confirm {board}", f"reject {board}", board, matter)
