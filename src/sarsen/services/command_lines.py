"""Command lines: each is parsed, its speaker proved, and its command performed.

Doors with a command box do all of it at once (`read_and_perform`). The mail door parses all lines
of a mail first, and performs them in one transaction with other mails.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.games import known_names
from sarsen.language.commands import (
    MAX_LINES,
    Command,
    Multiple,
)
from sarsen.language.grammar.grammar import MAX_BODY
from sarsen.language.grammar.placeholders import PASSWORD
from sarsen.language.grammar.tokens import Context
from sarsen.language.replies import Answer, Refusal, Reply, Several, encode
from sarsen.services.accounts.passwords import prove
from sarsen.services.board_cache import BoardCache
from sarsen.services.dispatch import perform
from sarsen.services.parsed_lines import Check, ParsedLine, PerformedLine, parse_line
from sarsen.services.quoting import quote_line, refusal_to_show
from sarsen.services.request import Actor

BOARD_LENGTH = 4_500  # characters of a large board with its moves, in a letter
TOO_MANY_LINES = Refusal(
    Phrase("`multiple` takes at most {most} lines; the rest was not read.", most=MAX_LINES),
    "too-many-lines",
    "Send the rest in another one.",
)


@dataclass(frozen=True)
class About:
    """The subject of the page or mail that is answered; see `Context` of the grammar."""

    board: int | None = None
    ply: int | None = None
    event: int | None = None
    matter: str = ""


NOTHING = About()


@dataclass(frozen=True)
class LineResult:
    """The result of a line, for a door with a command box.

    Attributes:
        line, body: As typed, with `PASSWORD` for what may be one where it is due.
        actor: Whom the line or the door has proved.
        command: None when the line was none.
        refused: The refusal as an error of its class, for a door that tells more of it.
        note: What the speaker should know of how the line was read; "" for nothing.
    """

    line: str
    body: str
    actor: Actor
    command: Command | None
    reply: Reply | Refusal
    refused: UserError | None = None
    note: str = ""


def _allow(command: Command) -> None:
    """Refuse nothing."""


def read_and_perform(
    line: str,
    body: str,
    actor: Actor,
    request: str,
    now: datetime,
    about: About = NOTHING,
    *,
    digest: str = "",
    check: Check = _allow,
) -> LineResult:
    """Read and perform a line; a refusal is a reply like any other.

    Args:
        body: The lines below the command, as one text.
        request, digest: As for `dispatch.perform`.
        check: As for `parse_line`.
    """
    parse = partial(
        parse_line,
        actor=actor,
        prove=lambda credentials: prove(credentials, now, actor.client_address, kind="login"),
        check=check,
    )
    below = tuple(body.replace("\r\n", "\n").split("\n")) if body.strip() else ()
    at_once = Context(known_names(), speaker=actor.name)
    if len(body) > MAX_BODY:
        parsed = ParsedLine(line, actor, refusal=_too_long(body))
    else:
        context = replace(
            at_once,
            board=about.board,
            ply=about.ply,
            event=about.event,
            matter=about.matter,
            body=below,
        )
        parsed = parse(line, context, request=request)
    command = parsed.command
    if not isinstance(command, Multiple):
        return _result(perform_line(parsed, now, digest), body)
    # Lazily: a line may change the password by which the next one is proved.
    lines = (
        parse(text, at_once, request=f"{request}:{number}" if request else "")
        for number, text in enumerate(command.lines[:MAX_LINES])
        if text.strip()
    )
    results = [_result(performed, "") for performed in perform_lines(lines, now, digest)]
    answers = [Answer(result.line, result.reply) for result in results]
    if len(command.lines) > MAX_LINES:
        answers.append(Answer("", TOO_MANY_LINES))
    body = "\n".join(result.line for result in results)
    return LineResult(line, body, actor, command, Several(tuple(answers)))


def perform_lines(
    lines: Iterable[ParsedLine],
    now: datetime,
    digest: str = "",
    *,
    boards: BoardCache | None = None,
    wakes_sender: bool = True,
    room: int | None = None,
) -> Iterator[PerformedLine]:
    """Perform lines in order; one that is refused stops nothing.

    Args:
        digest, boards, wakes_sender: As for `dispatch.perform`.
        room: Characters that all answers may have, about; when they are used up, queries are
            refused.
    """
    last_reply: Reply | Refusal | None = None
    for line in lines:
        if room is not None and last_reply is not None:
            room -= _length(last_reply)
        is_left_out = room is not None and room < 0 and line.is_query
        parsed = replace(line, refusal=_no_room()) if is_left_out else line
        performed = perform_line(parsed, now, digest, boards=boards, wakes_sender=wakes_sender)
        last_reply = performed.reply
        yield performed


def _length(reply: Reply | Refusal) -> int:
    """Return about how many characters a reply has in a letter, with the boards it shows."""
    boards: tuple[object, ...] = getattr(reply, "shown_boards", ())
    return len(json.dumps(encode(reply))) + BOARD_LENGTH * len(boards)


def perform_line(
    parsed: ParsedLine,
    now: datetime,
    digest: str = "",
    *,
    boards: BoardCache | None = None,
    wakes_sender: bool = True,
) -> PerformedLine:
    """Perform one line; see `perform_lines`."""
    refused = parsed.refusal
    if parsed.command and not refused:
        request = "" if parsed.is_query else parsed.request
        try:
            reply = perform(
                parsed.command,
                parsed.actor,
                request,
                now,
                digest,
                boards=boards,
                wakes_sender=wakes_sender,
            )
            return PerformedLine(parsed, reply)
        except UserError as refusal:
            refused = refusal
    assert refused is not None  # a line that is no command has one
    return PerformedLine(parsed, Refusal(refused.text, refused.code, refused.hint), refused)


def _result(performed: PerformedLine, body: str) -> LineResult:
    parsed, reply, refused = performed.line, performed.reply, performed.refused
    is_known = parsed.actor.player is not None
    quoted = quote_line(parsed, is_known=is_known, masks_ours=False)
    if isinstance(reply, Refusal):
        reply = refusal_to_show(performed, quoted, is_known=is_known)
        if refused is not None and quoted.masked_at:
            refused.text, refused.hint = reply.text, reply.hint
    line = quoted.text(PASSWORD)
    note = parsed.reading.note
    return LineResult(line, body, parsed.actor, parsed.command, reply, refused, note)


def _no_room() -> UserError:
    return UserError(
        "This mail is full; this command is not answered here.",
        code="answer-too-long",
        hint="Send it again in another mail.",
    )


def _too_long(body: str) -> UserError:
    return UserError(
        "The text has {count} characters; at most {most} are allowed.",
        code="text-too-long",
        hint="Send it in two parts.",
        count=len(body),
        most=MAX_BODY,
    )
