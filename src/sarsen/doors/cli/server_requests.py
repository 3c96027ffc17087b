"""Say a line to a server and print what it answers, as at every other door."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from sarsen.client.logins import StoredLogin
from sarsen.client.transport import Refused, ServerReply, Transport, speak
from sarsen.core.errors import UserError
from sarsen.doors.cli.login import chosen
from sarsen.doors.cli.typed_words import HELP, TypedLine

if TYPE_CHECKING:
    from sarsen.doors.cli.questions import PendingQuestion

REFUSED, NOT_ASKED = 1, 2
# Replies that ask back, and those after which a program may move.
_ASKING = ("ResignAsked", "Submitted", "BroadcastAsked", "SignOffAsked")
_MOVING = ("Moved", "ChallengeStands")


@dataclass(frozen=True)
class Speech:
    """How a line is said.

    Attributes:
        server: An address; "" for the current login.
        is_sure: What the server asks back is answered with yes.
    """

    server: str = ""
    as_json: bool = False
    is_sure: bool = False


def say(said: TypedLine, speech: Speech) -> int:
    """Perform a line at a server and print the answer; return the exit status."""
    login = None
    try:
        login = chosen(speech.server)
        with closing(Transport(login.url, login.token)) as transport:
            answer = _say(said, speech, transport)
        if sys.stdout.isatty() and not speech.as_json and answer.kind in _MOVING:
            _wait_for_program(answer.facts, login)
    except UserError as refusal:
        if refusal.code == "not-logged-in" and said.verb in HELP:
            return _help_here(said, speech)
        return _refuse(refusal, speech, login)
    return 0


def _say(said: TypedLine, speech: Speech, transport: Transport) -> ServerReply:
    """Send a line, and the yes to what the server asks back; return the last answer."""
    answer = speak(transport, said.line, said.body)
    if answer.kind not in _ASKING:
        _print(answer, transport, speech)
        return answer
    # Here, because other lines need none of the replies' classes.
    from sarsen.doors.cli.questions import read_question

    asked = read_question(answer.facts)
    if asked is None or not speech.is_sure:
        _print(answer, transport, speech)
    line = _answered(asked, speech) if asked is not None else ""
    if asked is None or not line:
        return answer
    answer = speak(transport, line, board=asked.board, matter=asked.matter)
    _print(answer, transport, speech)
    return answer


def _answered(asked: PendingQuestion, speech: Speech) -> str:
    """Return the line that answers a question, by the person here; "" without an answer."""
    if speech.is_sure:
        return asked.yes
    if sys.stdin.isatty() and sys.stdout.isatty() and not speech.as_json:
        return asked.yes if click.confirm(asked.text, err=True) else asked.no
    if not speech.as_json:
        click.echo(f"  sarsen {asked.yes}", err=True)
    return ""


def _print(answer: ServerReply, transport: Transport, speech: Speech) -> None:
    if speech.as_json:
        click.echo(json.dumps(answer.facts, ensure_ascii=False))
    elif answer.kind == "Exported":
        # The file alone, so that it can be sent into one.
        for line in transport.lines("account/export", "application/jsonl"):
            click.echo(line)
    else:
        click.echo(answer.text)


def _wait_for_program(facts: Mapping[str, Any], login: StoredLogin) -> None:
    """Show a program's answer, when it comes soon."""
    from sarsen.doors.cli.waiting import has_program_moved

    board = facts.get("board")
    if board is None:
        return
    with suppress(KeyboardInterrupt):
        if has_program_moved(login, board, facts.get("event") or 0):
            shown = speak(Transport(login.url, login.token), f"show {board}")
            click.echo(f"\n{shown.text}")


def _help_here(said: TypedLine, speech: Speech) -> int:
    """Return a page of help without a server."""
    from sarsen.help.pages import find_page
    from sarsen.help.rendering import page_text
    from sarsen.language.replies import HelpPage, encode

    try:
        found = find_page(tuple(word.lower() for word in said.rest))
    except UserError as refusal:
        return _refuse(refusal, speech, None)
    page = HelpPage(found.title, found.text)
    if speech.as_json:
        click.echo(json.dumps(encode(page), ensure_ascii=False))
    else:
        click.echo(page_text(page))
    return 0


def _refuse(refusal: UserError, speech: Speech, login: StoredLogin | None) -> int:
    text, hint = worded(refusal, login.url if login else "")
    if speech.as_json:
        # As `encode` writes a Refusal.
        found = {"kind": "Refusal", "text": text, "code": refusal.code, "hint": hint}
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        click.echo(f"Nothing was changed: {text} [{refusal.code}]", err=True)
        if hint:
            click.echo(f"  {hint}", err=True)
    return REFUSED if isinstance(refusal, Refused) else NOT_ASKED


def worded(refusal: UserError, url: str) -> tuple[str, str]:
    """Return text and hint of a refusal for a person at a terminal.

    The API tells programs to send a token; here one logs in.
    """
    login = f"sarsen login {url}".strip()
    match refusal.code:
        case "who-speaks":
            return "This needs to know who speaks: log in first.", login
        case "unknown-token":
            return (
                f"You are logged out at {url}: the token was revoked, or its time is over.",
                login,
            )
        case "scope-missing":
            return refusal.text, f"{login} --again"
        case "server-away":
            return refusal.text, "Try again later; sarsen login --list shows your servers."
        case _:
            return refusal.text, refusal.hint
