"""Commands that carry words: to players, to a board, to oneself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.grammar.typography import QUOTES
from sarsen.language.queries import ShownBoard
from sarsen.language.schema.fields import (
    AtMost,
    BoardNumber,
    Bounds,
    Example,
    GameName,
    MaxItems,
    MayLack,
)
from sarsen.language.translating import N_, _, _n, sentence, typed_next

MAX_RECEIVERS = 10  # of one message: each is a letter, in the name of this server
# Characters: a letter of some pages; a few paragraphs, since a board shows many; and more for
# oneself.
MAX_MESSAGE, MAX_CHAT, MAX_NOTE = 10_000, 2000, 4000
_REPLIES = re.compile(r"--re=#?(\d{1,9}):?", re.ASCII)


@dataclass(frozen=True)
class SendMessage(Command):
    """Send a private message to some players."""

    words = ("message", "msg", "tell")
    usage = "message [USERID PASSWORD] TO …"
    summary = N_(
        "Send a private message; no address is shown. The text is in the body, or after a colon."
    )
    scope = Scope.CHAT
    takes_text = True

    to: Annotated[tuple[str, ...], MaxItems(MAX_RECEIVERS), Example(["bob"])]
    text: Annotated[str, Bounds(MAX_MESSAGE, 1)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read names up to a word that ends with a colon; then the text."""
        tokens.speaker(leaves=1)
        to: list[str] = []
        while tokens.left:
            word = tokens.take()
            if name := word.strip(f"{QUOTES}:,"):
                to.append(name)
            if word.rstrip(QUOTES).endswith(":"):
                break
        if not to:
            raise UserError(
                "Who is the message for?",
                code="userid-missing",
                hint="message USERID PASSWORD bob: Hello!",
            )
        return cls(tuple(to), tokens.text())


@dataclass(frozen=True)
class Broadcast(Command):
    """Send a message to everyone who accepts broadcasts; its author sees it first.

    Attributes:
        thread: The number of the broadcast that it replies to; 0 for none.
    """

    words = ("broadcast",)
    usage = "broadcast [USERID PASSWORD] [--re=NUMBER]"
    summary = N_(
        "Send the body to all who want broadcasts, and to the public news. You see it first and "
        "confirm; quoted text is removed. With `--re=12` it replies to broadcast 12."
    )
    scope = Scope.ACCOUNT
    takes_text = True

    text: Annotated[str, Bounds(MAX_MESSAGE, 1)]
    thread: Annotated[int, AtMost(999_999_999), MayLack()] = 0

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read what it replies to, and the text."""
        if not tokens.context.speaker or tokens.peek().lower() == (tokens.context.speaker.lower()):
            tokens.speaker()
        replies = _REPLIES.fullmatch(tokens.peek())
        if replies:
            tokens.take()
        return cls(tokens.text(), int(replies[1]) if replies else 0)


@dataclass(frozen=True)
class Chat(Command):
    """Send a chat line to everyone at a board."""

    words = ("chat", "say")
    usage = "GAME chat BOARD [USERID PASSWORD] [TEXT]"
    summary = N_("Write to everyone on the board, after the command or in the body.")
    scope = Scope.CHAT
    may_share_a_batch = True
    at_board = True
    takes_text = True

    game: GameName
    board: BoardNumber
    text: Annotated[str, Bounds(MAX_CHAT, 1)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board and the text."""
        board, _ = tokens.board(f"{tokens.game or 'druid'} chat 123 USERID PASSWORD Hello!")
        tokens.speaker()
        return cls(tokens.game, board, tokens.text())


@dataclass(frozen=True)
class WriteNote(Command):
    """Save a private note with a board; without text, show the notes."""

    words = ("notes", "note")
    usage = "GAME notes BOARD [USERID PASSWORD] [TEXT]"
    summary = N_("Keep a note that only you see; without text, show your notes.")
    scope = Scope.CHAT
    for_guests = True
    may_share_a_batch = True
    at_board = True
    takes_text = True

    game: GameName
    board: BoardNumber
    text: Annotated[str, Bounds(MAX_NOTE, 1)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board and the text."""
        board, _ = tokens.board(f"{tokens.game or 'druid'} notes 123 USERID PASSWORD A plan")
        tokens.speaker()
        return cls(tokens.game, board, tokens.text())


@dataclass(frozen=True)
class ChatSaid:
    """A chat line was sent to these players of a board; `text` is what they read."""

    board: int
    to: Annotated[tuple[str, ...], MaxItems(MAX_RECEIVERS)]
    text: str = ""


@dataclass(frozen=True)
class NoteKept:
    """A note was saved with a board; `notes` is their number."""

    board: int
    notes: int


@dataclass(frozen=True)
class NoteLine:
    """One note: the number of moves played before it, the day, and the text."""

    ply: int
    day: str
    text: str


@dataclass(frozen=True)
class NotesShown:
    """The player's newest notes of a board."""

    board: int
    notes: tuple[NoteLine, ...]
    of: int


@dataclass(frozen=True)
class OwnBoard:
    """A board with the facts that only its player can see.

    Attributes:
        ply: How many plies to show; None for all.
        notes: The newest of their notes.
        plan: Their moves kept ready, as they would type them; "" for none.
    """

    board: int
    ply: int | None
    notes: tuple[NoteLine, ...]
    plan: str = ""


@dataclass(frozen=True)
class OwnBoardsShown:
    """Boards as their player sees them."""

    boards: tuple[OwnBoard, ...]

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return tuple(ShownBoard(own.board, own.ply) for own in self.boards)


ConversationReply = ChatSaid | NoteKept | NotesShown | OwnBoardsShown


@sentence.register
def _chat_said(reply: ChatSaid) -> str:
    if not reply.to:
        return _("Nobody else is on board {board}.").format(board=reply.board)
    return _("Your message on board {board} goes to {to}.").format(
        board=reply.board, to=", ".join(reply.to)
    )


@sentence.register
def _note_kept(reply: NoteKept) -> str:
    saved = _n(
        "Your note on board {board} is saved. Only you can see it.",
        "Your note on board {board} is saved; you have {count} there now. Only you can see them.",
        reply.notes,
    )
    return saved.format(board=reply.board, count=reply.notes)


@typed_next.register
def _after_note_kept(reply: NoteKept) -> str:
    return _("To read your notes: notes {board}").format(board=reply.board)


@sentence.register
def _notes_shown(reply: NotesShown) -> str:
    if not reply.notes:
        return _(
            "You have no notes on board {board}. To write one: notes {board} and your text"
        ).format(board=reply.board)
    left = reply.of - len(reply.notes)
    older = _(" (and {count} older ones, in `export`)").format(count=left) if left else ""
    title = _("Your notes on board {board}{older}:").format(board=reply.board, older=older)
    return f"{title}\n\n{_notes(reply.notes)}"


@sentence.register
def _own_boards(reply: OwnBoardsShown) -> str:
    return "\n\n".join(filter(None, map(_own, reply.boards)))


def _own(own: OwnBoard) -> str:
    parts = []
    if own.notes:
        title = _("Your notes on board {board}{older}:").format(board=own.board, older="")
        parts.append(f"{title}\n\n{_notes(own.notes)}")
    if own.plan:
        title = _("Your plan for board {board}:").format(board=own.board)
        parts.append(f"{title}\n\n{indented(own.plan)}")
    return "\n\n".join(parts)


def _notes(notes: tuple[NoteLine, ...]) -> str:
    return "\n".join(
        "  "
        + _("after move {ply}, {day}:").format(ply=note.ply, day=note.day)
        + f"\n{indented(note.text)}"
        for note in notes
    )


def indented(text: str) -> str:
    """Return text four blanks further to the right."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


@dataclass(frozen=True)
class MessageSent:
    """A private message was sent to these players; `text` is what they read."""

    to: Annotated[tuple[str, ...], MaxItems(MAX_RECEIVERS)]
    text: str = ""


@dataclass(frozen=True)
class BroadcastAsked:
    """The server shows a broadcast to its author and asks for confirmation.

    Attributes:
        text: As everybody would get it.
        left_out: Whether quoted text or a signature was cut.
    """

    text: str
    left_out: bool


@dataclass(frozen=True)
class BroadcastSent:
    """A broadcast is being sent to all players who accept broadcasts.

    Attributes:
        number: In the public news; 0 when it is not there.
        game: What it announces; "" for no game.
    """

    author: str
    number: int = 0
    game: str = ""


MessagesReply = MessageSent | BroadcastAsked | BroadcastSent


@sentence.register
def _message_sent(reply: MessageSent) -> str:
    return _("Your message is on its way to {to}. Nobody sees your address.").format(
        to=", ".join(reply.to)
    )


@sentence.register
def _broadcast_asked(reply: BroadcastAsked) -> str:
    cut = _("Quoted text and a signature were cut. ") if reply.left_out else ""
    return _(
        "Everyone who wants broadcasts would get this:\n\n{shown}\n\n{cut}It also stays in the "
        "public news, where anybody can read it. You can withdraw it within an hour. Send it?"
    ).format(shown=indented(reply.text), cut=cut)


@typed_next.register
def _after_broadcast_asked(reply: BroadcastAsked) -> str:
    return _("Reply `yes`, or: confirm broadcast. With `no` it is dropped.")


@sentence.register
def _broadcast_sent(reply: BroadcastSent) -> str:
    return _("Your broadcast is on its way to everyone who wants broadcasts.")


@typed_next.register
def _after_broadcast_sent(reply: BroadcastSent) -> str:
    if not reply.number:
        return ""
    read = _("To read it: news {number}. To take it back within an hour: {line}").format(
        number=reply.number, line=f"withdraw news {reply.number}"
    )
    if not reply.game:
        return read
    begin = _("To begin each game as soon as somebody asks, with at most five at once: {lines}")
    return f"{read}\n{begin.format(lines=f'autoaccept {reply.game}, limit 5')}"


ANSWER_TO_CHAT = "I am a program of level {level}: I can play, but I cannot chat. Have a good game!"
LAST_WORDS = "I am lost here, whatever I play. Well done, and thank you for the game!"
