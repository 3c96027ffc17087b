"""A command becomes the line that says it, and is read again: for doors that get commands whole.

Whatever the grammar refuses, or reads as something else, is refused there too.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.accounts import ConfirmAccount, SignOff
from sarsen.language.boards import AnswerOffer, Confirm, Resign
from sarsen.language.commands import Command
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.sentence import Context
from sarsen.language.grammar.typography import normalise

# Long words stand below the line, where no grammar reads them.
_BELOW = ("Broadcast", "Chat", "SendMessage", "WriteNote")
# What stands elsewhere in the line than in its turn, or nowhere.
_ASIDE = ("game", "ply", "matter", "what", "confirmed", "accepts", "agrees")
_SWITCHES = {"are_off": ("off", "on"), "are_on": ("on", "off"), "is_off": ("off", "")}
_SWITCHES |= {"forgets": ("forget", "")}


@dataclass(frozen=True)
class CommandText:
    """A command as it is said.

    Attributes:
        line, body: As typed.
        board, event, matter: What it answers; see `language.grammar.sentence.Context`.
    """

    line: str
    body: tuple[str, ...] = ()
    board: int | None = None
    event: int | None = None
    matter: str = ""


def write_command(command: Command) -> CommandText:
    """Write a command as a line. The pair of `grammar.read_line`."""
    words = [*_words(command)]
    line = " ".join(filter(None, [getattr(command, "game", ""), *words]))
    body = _body(command)
    if isinstance(command, Confirm | AnswerOffer):
        return CommandText(line, body, command.board, command.event, command.matter)
    return CommandText(line, body)


def checked(command: Command, games: Collection[str], speaker: str) -> Command:
    """Return a command as a line that says it is read.

    Args:
        speaker: The userid that the door has proved, or "".

    Raises:
        UserError: No line says this.
    """
    written = write_command(command)
    context = Context(
        games,
        speaker=speaker,
        board=written.board,
        event=written.event,
        matter=written.matter,
        body=written.body,
    )
    spoken = read_line(written.line, context)
    if type(spoken.command) is not type(command):
        raise _unsayable(
            command, Phrase("it would be read as `{read}`", read=spoken.command.words[0])
        )
    if spoken.credentials is not None:
        raise _unsayable(
            command, Phrase("its first words would be read as a userid and a password")
        )
    for one in fields(command):
        given, read = getattr(command, one.name), getattr(spoken.command, one.name)
        if one.name == "confirmed" or given == one.default:
            continue
        if _plain(given) != _plain(read):
            raise _unsayable(
                command, Phrase("`{name}` would be read as something else", name=one.name)
            )
    return _as_sure(spoken.command, command)


def _as_sure(read: Command, given: Command) -> Command:
    """Keep that the door has made sure of a grave command, which no line says."""
    if isinstance(given, Resign | SignOff) and isinstance(read, Resign | SignOff):
        return replace(read, confirmed=given.confirmed)
    return read


def _words(command: Command) -> list[str]:
    """Return the words after the game."""
    words = [_verb(command)]
    for one in fields(command):
        value = getattr(command, one.name)
        if one.name in _ASIDE or _is_below(command, one.name):
            continue
        if one.name == "event" and hasattr(command, "board"):
            continue  # it stands with the board, or in what is answered
        if one.name in _SWITCHES:
            words.append(_SWITCHES[one.name][0 if value else 1])
        elif one.name == "board":
            words.append(_board(command))
        elif one.name == "which":
            words.append("" if value == "active" else value)
        elif one.name == "to":
            words.append(f"{' '.join(value)}:")
        else:
            words.append(_said(value))
    if getattr(command, "agrees", True) is False:
        words.append("no")
    return [word.strip() for word in words]


def _verb(command: Command) -> str:
    if isinstance(command, ConfirmAccount):
        return f"confirm {command.what}"
    if isinstance(command, AnswerOffer) and command.accepts:
        return "accept"
    return command.words[0]


def _board(command: Any) -> str:
    if isinstance(command, AnswerOffer) and command.accepts and not command.game:
        return ""  # with a number it would be a challenge; the context names the board
    ply, event = getattr(command, "ply", None), getattr(command, "event", None)
    if ply is None:
        return str(command.board)
    return f"{command.board}#{ply}" + (f".{event}" if event is not None else "")


def _said(value: object) -> str:
    if value is None:
        return "off"  # of a number: no bound
    if isinstance(value, tuple):
        return " ".join(_pair(one) if isinstance(one, tuple) else str(one) for one in value)
    return str(value)


def _pair(value: tuple[Any, ...]) -> str:
    board, ply = value
    return f"{board}" if ply is None else f"{board}#{ply}"


def _is_below(command: Command, name: str) -> bool:
    return name == "lines" or (name == "text" and type(command).__name__ in _BELOW)


def _body(command: Command) -> tuple[str, ...]:
    for one in fields(command):
        value = getattr(command, one.name)
        if _is_below(command, one.name) and value:
            text = value if isinstance(value, str) else "\n".join(value)
            return tuple(text.replace("\r\n", "\n").split("\n"))
    return ()


def _plain(value: object) -> object:
    """Return what must stay the same; case, blanks and points at the end need not."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, str):
        return " ".join(normalise(value).split()).strip(" .,!").casefold()
    return value


def _unsayable(command: Command, why: Phrase) -> UserError:
    return UserError(
        "No line of `{command}` says this: {why}.",
        code="unsayable",
        hint=command.usage,
        command=command.words[0],
        why=why,
    )
