"""A line as it was typed, with the text below it, and what is still asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from sarsen.language.translating import _

MAX_READ = 100_000  # characters below a line; more is refused anyhow (`grammar.MAX_BODY`)
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
class LineText:
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
            two_words, word = " ".join(words[at : at + 2]).lower(), words[at].lower().rstrip(":.")
            if two_words in _ASKING:
                return two_words, words[at + 2 :]
            if word in _ASKING:
                return word, words[at + 1 :]
        return "", []


def join_words(words: Sequence[str], body: str) -> LineText:
    """Put typed words together; line breaks in them part the line from the text below it."""
    line, *below = " ".join(words).split("\n", 1)
    return LineText(line, "\n".join(filter(None, (*below, body))))


def ask_for_missing_parts(line_text: LineText) -> LineText:
    """Ask for what is missing: the text of a message, or a new password.

    A text is read from standard input; a password only from a terminal, unseen.
    """
    if _lacks_text(line_text):
        if sys.stdin.isatty():
            click.echo(_("Type your text; end it with Ctrl-D on an empty line."), err=True)
        return replace(line_text, body=sys.stdin.read(MAX_READ))
    if line_text.verb in PASSWORD:
        return _with_password(line_text)
    return line_text


def _lacks_text(line_text: LineText) -> bool:
    if line_text.body:
        return False
    rest = line_text.rest
    if line_text.verb in MESSAGE:
        return bool(rest) and not any(word.endswith(":") for word in rest[:-1])
    if line_text.verb in CHAT:
        return len(rest) == 1
    return line_text.verb in MULTIPLE or (line_text.verb in BROADCAST and not rest)


def _with_password(line_text: LineText) -> LineText:
    if line_text.rest:
        text = _(
            "Others on this computer may see passwords in command lines: leave it out next time."
        )
        click.echo(text, err=True)
        return line_text
    if not sys.stdin.isatty():
        return line_text
    confirmation = _("Repeat for confirmation")
    password = click.prompt(
        _("New password"), hide_input=True, confirmation_prompt=confirmation, err=True
    )
    return replace(line_text, line=f"{line_text.line} {password}")
