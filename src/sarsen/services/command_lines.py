"""Command lines: each is parsed, its speaker proved, and its command performed.

Doors with a command box do all of it at once (`read_and_perform`). The mail door parses all lines
of a mail first, and performs them in one transaction with other mails.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.games import known_names, names
from sarsen.language.commands import MOST_LINES, QUERIES, Command, Multiple
from sarsen.language.grammar.grammar import Spoken, read_line
from sarsen.language.grammar.placeholders import explain_placeholders
from sarsen.language.grammar.sentence import Context, Credentials
from sarsen.language.replies import Answer, Refusal, Reply, Several, encode
from sarsen.services.accounts.passwords import prove, userids_among
from sarsen.services.board_cache import BoardCache
from sarsen.services.dispatch import perform
from sarsen.services.redaction import (
    Redaction,
    hidden_words,
    mistyped_in,
    secrets,
    userids_in,
    without_secrets,
)
from sarsen.services.request import Actor, Player

LONGEST_BODY = 20_000  # characters
BOARD_LENGTH = 4_500  # characters of a large board with its moves, in a letter
TOO_MANY_LINES = Refusal(
    Phrase("`multiple` takes at most {most} lines; the rest was not read.", most=MOST_LINES),
    "too-many-lines",
    "Send the rest in another one.",
)
_SPEAKER = " USERID PASSWORD"

Check = Callable[[Command], None]
Prove = Callable[[Credentials], Player]


@dataclass(frozen=True)
class About:
    """The subject of the page or mail that is answered; see `Context` of the grammar."""

    board: int | None = None
    ply: int | None = None
    event: int | None = None
    matter: str = ""


NOTHING = About()


@dataclass(frozen=True)
class ParsedLine:
    """A line that was read, with the speaker that it or the door has proved.

    Attributes:
        spoken: None when the line is no command.
        refusal: Why it is not performed, or None.
        request: As for `dispatch.perform`.
    """

    line: str
    actor: Actor
    spoken: Spoken | None
    refusal: UserError | None = None
    request: str = ""

    @property
    def command(self) -> Command | None:
        return self.spoken.command if self.spoken else None

    @property
    def is_query(self) -> bool:
        return type(self.command) in QUERIES


@dataclass(frozen=True)
class PerformedLine:
    """A line with its reply; `refused` is what a `Refusal` was raised as."""

    line: ParsedLine
    reply: Reply | Refusal
    refused: UserError | None = None


@dataclass(frozen=True)
class LineResult:
    """The result of a line, for a door with a command box.

    Attributes:
        line, body: As typed, with each password in them hidden.
        actor: Whom the line or the door has proved.
        command: None when the line was none.
        refused: What was refused as it was raised, for a door that tells more of it.
    """

    line: str
    body: str
    actor: Actor
    command: Command | None
    reply: Reply | Refusal
    refused: UserError | None = None


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
        prove=lambda credentials: prove(credentials, now, actor.place, kind="login"),
        check=check,
    )
    below = tuple(body.replace("\r\n", "\n").split("\n")) if body.strip() else ()
    at_once = Context(known_names(), speaker=actor.name)
    if len(body) > LONGEST_BODY:
        parsed = ParsedLine(line, actor, None, _too_long(body))
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
        for number, text in enumerate(command.lines[:MOST_LINES])
        if text.strip()
    )
    results = [_result(performed, "") for performed in perform_lines(lines, now, digest)]
    answers = [Answer(result.line, result.reply) for result in results]
    if len(command.lines) > MOST_LINES:
        answers.append(Answer("", TOO_MANY_LINES))
    body = "\n".join(result.line for result in results)
    return LineResult(line, body, actor, command, Several(tuple(answers)))


def parse_line(
    line: str, context: Context, actor: Actor, prove: Prove, check: Check, request: str = ""
) -> ParsedLine:
    """Read a line and prove its speaker, before any transaction: a proof takes long on purpose.

    Args:
        check: Refuses what the door's proof does not cover. Not asked where the line itself
            proves its speaker.
    """
    spoken = refused = None
    try:
        spoken = read_line(line, context)
        if spoken.credentials:
            player = prove(spoken.credentials)
            seat = actor.seat if player == actor.player else None
            actor = replace(actor, player=player, seat=seat, by_password=True)
        elif not isinstance(spoken.command, Multiple):  # each of its lines is checked by itself
            check(spoken.command)
    except UserError as refusal:
        refused = refusal
    return ParsedLine(line, actor, spoken, refused, request)


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


def quote_lines(
    lines: Sequence[PerformedLine], board: int | None, *, is_known: bool
) -> list[Answer]:
    """Return each line with its reply, with what may be a password redacted in both.

    Args:
        board: The board that is meant where a line names none.
        is_known: Whether the door knows the speaker without words in the line.
    """
    userids = _userids(lines)
    everywhere = frozenset().union(*(secrets(performed.line.spoken) for performed in lines))
    answers = []
    for performed in lines:
        line, reply, command = performed.line.line, performed.reply, performed.line.command
        hidden = hidden_words(
            line,
            performed.line.spoken,
            userids,
            is_accepted=not isinstance(reply, Refusal),
            mistyped=mistyped_in(line, reply, performed.line.actor.player, userids),
        )
        redaction = Redaction(hidden | everywhere)
        if isinstance(reply, Refusal):
            board_meant = getattr(command, "board", None) or board
            with_hint = _with_working_hint(reply, is_known=is_known, board=board_meant)
            with_explanation = explain_placeholders(line, with_hint, names(), userids)
            reply = redaction.refusal(with_explanation, command)
        answers.append(Answer(redaction.line(line), reply))
    return answers


def _userids(lines: Sequence[PerformedLine]) -> frozenset[str]:
    """Return the userids among the words: a password stands behind one."""
    only = lines[0] if len(lines) == 1 else None
    is_done = only and not only.line.is_query and not isinstance(only.reply, Refusal)
    if only and is_done and " " not in only.line.line:
        return frozenset()  # a word alone stands behind none, and was taken for what it is
    return userids_in(performed.line.line for performed in lines)


def _with_working_hint(refusal: Refusal, *, is_known: bool, board: int | None = None) -> Refusal:
    """Insert the board that was meant into a hint, and omit a speaker whom the door knows."""
    hint = refusal.hint
    # Advice stays the phrase that it is, to be translated.
    if is_known and _SPEAKER in hint and not hint.startswith("signup"):
        hint = hint.replace(_SPEAKER, "")
    if board is not None and " BOARD " in hint:
        hint = hint.replace(" BOARD ", f" {board} ")
    return replace(refusal, hint=hint)


def _result(performed: PerformedLine, body: str) -> LineResult:
    parsed, reply = performed.line, performed.reply
    redacted_line = without_secrets(parsed.line, parsed.spoken)
    if isinstance(reply, Refusal):
        reply = _with_working_hint(reply, is_known=parsed.actor.player is not None)
        userids = userids_among(parsed.line.split())
        reply = explain_placeholders(parsed.line, reply, names(), userids, redacted_line)
    return LineResult(redacted_line, body, parsed.actor, parsed.command, reply, performed.refused)


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
        most=LONGEST_BODY,
    )
