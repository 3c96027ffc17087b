"""A typed line is read, its speaker proved, and its command performed: for doors with a box.

The mail door does the same in steps of its own, because it stores and blots mails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import pairwise

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.boards import MOST_LINES
from sarsen.language.commands import QUERIES, Command, Multiple, SignUp
from sarsen.language.grammar.grammar import Spoken, read_line
from sarsen.language.grammar.placeholders import explain_placeholders
from sarsen.language.grammar.sentence import Context
from sarsen.language.replies import Answer, Refusal, Reply, Several
from sarsen.services.accounts.passwords import prove, userids_among
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor

LONGEST_BODY = 20_000  # characters
HIDDEN = "PASSWORD"
_WHO = " USERID PASSWORD"


@dataclass(frozen=True)
class LineResult:
    """The result of a line.

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

    @property
    def is_refused(self) -> bool:
        return isinstance(self.reply, Refusal)


@dataclass(frozen=True)
class About:
    """The subject of the page or letter that is answered; see `language.sentence.Context`."""

    board: int | None = None
    ply: int | None = None
    event: int | None = None
    matter: str = ""


NOTHING = About()
Check = Callable[[Command], None]


def _allow(command: Command) -> None:
    """Refuse nothing."""


def speak(
    line: str,
    body: str,
    actor: Actor,
    request: str,
    now: datetime,
    about: About = NOTHING,
    *,
    said: str = "",
    check: Check = _allow,
) -> LineResult:
    """Read and perform a line; a refusal is a reply like any other.

    Args:
        body: The lines below the command, as one text.
        request, said: As for `dispatch.perform`.
        check: Refuses what the door's proof does not cover. Not asked where the line
            itself proves its speaker.
    """
    lines = tuple(body.replace("\r\n", "\n").split("\n")) if body.strip() else ()
    context = Context(
        names(),
        speaker=actor.name,
        board=about.board,
        ply=about.ply,
        event=about.event,
        matter=about.matter,
        body=lines,
    )
    spoken = refused = None
    try:
        _check_length(body)
        spoken = read_line(line, context)
        if isinstance(spoken.command, Multiple):
            each = partial(speak, actor=actor, now=now, said=said, check=check)
            return _speak_all(line, spoken.command, actor, request, each)
        if spoken.credentials is None:
            check(spoken.command)
        actor = _proved(spoken, actor, now)
        reply: Reply | Refusal = _perform(spoken.command, actor, request, now, said)
    except UserError as refusal:
        reply, refused = _refusal(refusal, actor), refusal
    command = spoken.command if spoken else None
    shown = hidden(line, spoken)
    if isinstance(reply, Refusal):
        known = userids_among(line.split())
        reply = explain_placeholders(line, reply, context.games, known, shown)
    return LineResult(shown, body, actor, command, reply, refused)


def hidden(line: str, spoken: Spoken | None) -> str:
    """Hide what a command took as a secret; in a line that is none, what follows a userid."""
    words = line.split()
    secret = set(_secrets(spoken)) if spoken else set(_suspected(words))
    if not secret:
        return line
    return " ".join(HIDDEN if word in secret else word for word in words)


def _speak_all(
    line: str, command: Multiple, actor: Actor, request: str, each: Callable[..., LineResult]
) -> LineResult:
    heard = [
        each(one, "", request=f"{request}:{number}" if request else "")
        for number, one in enumerate(command.lines[:MOST_LINES])
        if one.strip()
    ]
    answers = [Answer(one.line, one.reply) for one in heard]
    if len(command.lines) > MOST_LINES:
        text = f"`multiple` takes {MOST_LINES} lines; the rest was not read."
        answers.append(Answer("", Refusal(text, "too-many-lines", "Send the rest in another one.")))
    body = "\n".join(one.line for one in heard)
    return LineResult(line, body, actor, command, Several(tuple(answers)))


def _proved(spoken: Spoken, actor: Actor, now: datetime) -> Actor:
    if spoken.credentials is None:
        return actor
    # Before any transaction: a check takes long on purpose.
    player = prove(spoken.credentials, now, actor.place, kind="login")
    return replace(actor, player=player, seat=None)


def _perform(command: Command, actor: Actor, request: str, now: datetime, said: str) -> Reply:
    return perform(command, actor, "" if type(command) in QUERIES else request, now, said)


def _refusal(refusal: UserError, actor: Actor) -> Refusal:
    # A speaker known at this door need not name themselves.
    hint = refusal.hint.replace(_WHO, "") if actor.player else refusal.hint
    return Refusal(refusal.text, refusal.code, hint)


def _check_length(body: str) -> None:
    if len(body) > LONGEST_BODY:
        raise UserError(
            f"The text has {len(body)} characters; {LONGEST_BODY} are the most.",
            code="text-too-long",
            hint="Send it in two parts.",
        )


def _secrets(spoken: Spoken) -> Iterator[str]:
    """Yield the words of fields that show in no repr, and the password of the speaker."""
    if spoken.credentials:
        yield spoken.credentials.password
    for one in fields(spoken.command):
        value = getattr(spoken.command, one.name)
        if not one.repr and isinstance(value, str):
            yield from value.split()


def _suspected(words: list[str]) -> Iterable[str]:
    """Yield what may be a password in a line that could not be read."""
    lower = [word.lower() for word in words]
    if "password" in lower[:3]:
        return words[lower.index("password") + 1 :]
    if lower[:1] and lower[0] in SignUp.words:
        return [word for word in words[2:] if "@" not in word]
    userids = userids_among(words)
    return [after for word, after in pairwise(words) if word.lower() in userids]
