"""Typed words before they are sent: which command they are, and what is still to be asked for.

The server judges lines; here it is only found out whether there is one, whether a text
belongs below it, and whether a password has to be typed.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from sarsen.core.errors import UserError

MOST_READ = 100_000  # characters below a line; more is refused anyhow


# Words of the commands that something may have to be asked for. Must agree with
# `language.commands`, which is not loaded for a line that is only passed on.
HELP = (
    *("help", "?", "info", "hilfe", "aide", "ayuda", "ajuda", "aiuto", "hulp"),
    *("hjälp", "hjelp", "hjælp", "apua", "pomoc", "pomoz", "допомога", "помощь", "帮助"),
    *("幫助", "ヘルプ", "도움말"),
)
MESSAGE = ("message", "msg", "tell")
BROADCAST = ("broadcast",)
CHAT = ("chat", "say")
MULTIPLE = ("multiple",)
PASSWORD = ("change password", "password")
_ASKING = (*HELP, *MESSAGE, *BROADCAST, *CHAT, *MULTIPLE, *PASSWORD)


@dataclass(frozen=True)
class TypedLine:
    """A line and the text below it.

    Attributes:
        verb: The command word, when it is one of those above; "" for all others.
        rest: The words after it.
    """

    line: str
    body: str = ""

    @property
    def verb(self) -> str:
        return self._parts()[0]

    @property
    def rest(self) -> list[str]:
        return self._parts()[1]

    def _parts(self) -> tuple[str, list[str]]:
        words = self.line.split()
        for at in range(min(2, len(words))):  # a game may stand first
            two, one = " ".join(words[at : at + 2]).lower(), words[at].lower().rstrip(":.")
            if two in _ASKING:
                return two, words[at + 2 :]
            if one in _ASKING:
                return one, words[at + 1 :]
        return "", []


def check_first(words: Sequence[str], own: Sequence[str]) -> None:
    """Refuse what is no line but a slip in the name of a subcommand.

    Args:
        own: The subcommands.

    Raises:
        UserError: The hint is the same line with the right name.
    """
    first, *rest = " ".join(words).split() or [""]
    near = difflib.get_close_matches(first.lower(), own, n=1, cutoff=0.7)
    if not near or first.startswith("-"):
        return
    from sarsen.language.commands import BY_WORD

    known = {word.split()[0] for word in BY_WORD}
    if first.lower() not in known and not (rest and rest[0].lower() in known):
        raise UserError(
            f"{first[:40]!r} is no command of sarsen.",
            code="unknown-command",
            hint=" ".join(["sarsen", near[0], *rest]),
        )


def typed(words: Sequence[str], body: str) -> TypedLine:
    """Put typed words together; line breaks in them part the line from the text below it."""
    line, _, below = " ".join(words).partition("\n")
    return TypedLine(line, "\n".join(filter(None, (below, body))))


def completed(said: TypedLine) -> TypedLine:
    """Ask for what is missing: the text of a message, or a new password.

    A text is read from standard input; a password only from a terminal, unseen.
    """
    if _lacks_text(said):
        if sys.stdin.isatty():
            click.echo("The text, please; Ctrl-D on an empty line ends it.", err=True)
        return replace(said, body=sys.stdin.read(MOST_READ))
    if said.verb in PASSWORD:
        return _with_password(said)
    return said


def _lacks_text(said: TypedLine) -> bool:
    if said.body:
        return False
    rest = said.rest
    if said.verb in MESSAGE:
        return bool(rest) and not any(word.endswith(":") for word in rest[:-1])
    if said.verb in CHAT:
        return len(rest) == 1
    return said.verb in MULTIPLE or (said.verb in BROADCAST and not rest)


def _with_password(said: TypedLine) -> TypedLine:
    if said.rest:
        text = "Others on this machine may see passwords in command lines: leave it out next time."
        click.echo(text, err=True)
        return said
    if not sys.stdin.isatty():
        return said
    fresh = click.prompt("New password", hide_input=True, confirmation_prompt=True, err=True)
    return replace(said, line=f"{said.line} {fresh}")
