"""A reply to what a person wrote: words for that person or board, a move, or a command.

Words go out whole. A move is played only where it is all that the mail says, and can be played now;
a command is performed where its line is nothing else. Where both may be meant, the writer is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed, quoted
from sarsen.core.referee import judge
from sarsen.doors.mail.reply.prose import is_among_prose
from sarsen.games import known_names
from sarsen.language.commands import Broadcast, Chat, Command, Report, SendMessage
from sarsen.language.grammar.grammar import read
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.tokens import Context
from sarsen.language.grammar.typography import normalise
from sarsen.services.boards.view import view_board
from sarsen.services.mail.reply_addresses import SignedAddress
from sarsen.services.notices.repeated_words import refuse_repeated
from sarsen.services.request import Player

MAX_MOVE = 60  # characters of a line that the rules are asked about
# Answers to a person; in other letters they answer a question of the server.
_ANSWERS = ("yes", "no", "ok", "okay", "sure")


class Meaning(Enum):
    WORDS = auto()
    COMMAND = auto()
    DOUBTFUL = auto()


@dataclass(frozen=True)
class Talk:
    """The meaning of a reply to what a person wrote.

    Attributes:
        line: The beginning of the command that passes its words on; where that is doubtful, the
            line that may be a move or a command.
        begins: What a message would have to begin with.
    """

    meaning: Meaning
    line: str = ""
    begins: str = ""

    def check(self, command: Command, player: Player | None) -> None:
        """Ask back where a command is doubtful; refuse to pass the same words on again.

        Raises:
            UserError: Nothing is done.
        """
        if self.meaning is Meaning.DOUBTFUL:
            raise UserError(
                "Did you mean {typed} as a move or command, or as part of a message? Nothing has "
                "been done yet. To send your text as a message, start it with `{begins}`. "
                "Otherwise send that line on its own.",
                code="command-or-message",
                hint=Typed(self.line),
                typed=quoted(self.line, MAX_MOVE),
                begins=self.begins,
            )
        if self.meaning is Meaning.WORDS and isinstance(command, Chat | SendMessage) and player:
            refuse_repeated(command, player)


NO_TALK = Talk(Meaning.COMMAND)


def read_talk(rows: Sequence[str], line: str, signed: SignedAddress) -> Talk:
    """Return the meaning of a reply.

    Args:
        rows: What its sender wrote.
        line: The first of these rows, as the grammar reads it.
    """
    begins = f"message {signed.author.userid}:" if signed.author else "chat"
    meaning, doubtful = _meaning(rows, line, signed) if rows else (Meaning.WORDS, "")
    return Talk(meaning, doubtful or begins, begins)


def _meaning(rows: Sequence[str], line: str, signed: SignedAddress) -> tuple[Meaning, str]:
    """Return the meaning, and what is doubtful."""
    certain = Meaning.DOUBTFUL if rows[1:] else Meaning.COMMAND
    if line.lower() == "multiple" and rows[1:]:
        return Meaning.COMMAND, ""
    if _is_legal(line, signed):
        return certain, line
    stated = _stated_move(line, rows[1:])
    if stated != line and _is_legal(stated, signed):
        return Meaning.DOUBTFUL, stated
    command, words = _command_of(line, signed)
    if command is None or words[0].lower().rstrip(".!") in _ANSWERS:
        return Meaning.WORDS, ""
    if command is Report and signed.author and words[1].lower() == signed.author.key:
        return Meaning.COMMAND, ""  # never delivered to the player it is about
    if command.takes_text:
        is_command = _is_addressed(command, words, has_rows_below=bool(rows[1:]))
        return (Meaning.COMMAND if is_command else Meaning.WORDS), ""
    return (Meaning.WORDS, "") if is_among_prose(line) else (certain, line)


def _command_of(line: str, signed: SignedAddress) -> tuple[type[Command] | None, Sequence[str]]:
    """Return the command that a whole line is, with its words from its verb on."""
    context = Context(known_names(), speaker=signed.player.userid, board=signed.board)
    reading = read(line, context)
    words = normalise(line).split()
    is_named = reading.parsed is not None and reading.command is not None
    if words and words[0].lower() in known_names():
        words = words[1:]
    return (reading.command if is_named and words else None), words


def _is_addressed(command: type[Command], words: Sequence[str], *, has_rows_below: bool) -> bool:
    """Return whether a command that takes a text is meant, and not the word that it begins with."""
    verb, *others = words
    if verb.endswith(":"):
        return True
    if command is Chat:
        return verb.lower() == "chat"
    if command is SendMessage:
        names_end = any(word.endswith(":") for word in others)
        is_alone = len(others) == 1 and has_rows_below
        return verb.lower() in ("message", "msg") and (names_end or is_alone)
    if command is Broadcast:
        return not others
    return bool(others) and any(sign.isdigit() for sign in others[0])


def _stated_move(line: str, below: Sequence[str]) -> str:
    """Return the move that a sentence states, or a line with a full stop; "" for none."""
    try:
        return read_phrase(normalise(line), below) or line.rstrip(" .,!?")
    except UserError:  # several moves, which are talked about
        return ""


def _is_legal(text: str, signed: SignedAddress) -> bool:
    """Return whether a text is a move that its writer can play now."""
    if signed.board is None or not 0 < len(text) <= MAX_MOVE:
        return False
    try:
        view = view_board(signed.board, viewer=signed.player)
        if view.result or view.players[view.position.seat] != signed.player.userid:
            return False
        judge(view.position, text)
    except UserError:
        return False
    return True
