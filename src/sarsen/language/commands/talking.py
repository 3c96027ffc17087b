"""Commands that carry words: to players, to a board, to oneself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.sentence import Sentence


@dataclass(frozen=True)
class SendMessage:
    """Send private words to some players through the server."""

    words: ClassVar[tuple[str, ...]] = ("message", "msg", "tell")
    usage: ClassVar[str] = "message [USERID PASSWORD] TO …"
    summary: ClassVar[str] = (
        "Private mail through the server; nobody's address is shown. The text stands in the body, "
        "or in the line after a colon."
    )

    to: tuple[str, ...]
    text: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read names up to a word that ends with a colon; then the text."""
        sentence.speaker(leaves=1)
        to: list[str] = []
        while sentence.left:
            word = sentence.take()
            if word.rstrip(":,"):
                to.append(word.rstrip(":,"))
            if word.endswith(":"):
                break
        if not to:
            raise UserError(
                "A message to whom?",
                code="userid-missing",
                hint="message USERID PASSWORD bob: Hello!",
            )
        return cls(tuple(to), sentence.text())


@dataclass(frozen=True)
class Broadcast:
    """Send words to everyone who wants broadcasts; shown to their author first."""

    words: ClassVar[tuple[str, ...]] = ("broadcast",)
    usage: ClassVar[str] = "broadcast [USERID PASSWORD]"
    summary: ClassVar[str] = (
        "Words to all who want broadcasts, in the body. You see them first and confirm; "
        "quoted text is cut."
    )

    text: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the text."""
        if not sentence.context.speaker or sentence.peek().lower() == (
            sentence.context.speaker.lower()
        ):
            sentence.speaker()
        return cls(sentence.text())


@dataclass(frozen=True)
class Chat:
    """Say something to everyone at a board."""

    words: ClassVar[tuple[str, ...]] = ("chat", "say")
    usage: ClassVar[str] = "GAME chat BOARD [USERID PASSWORD] [TEXT]"
    summary: ClassVar[str] = "Words to everyone at the board, after the command or in the body."

    game: str
    board: int
    text: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board and the text."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} chat 123 USERID PASSWORD Hello!")
        sentence.speaker()
        return cls(sentence.game, board, sentence.text())


@dataclass(frozen=True)
class WriteNote:
    """Keep private words with a board; without words, show them."""

    words: ClassVar[tuple[str, ...]] = ("notes", "note")
    usage: ClassVar[str] = "GAME notes BOARD [USERID PASSWORD] [TEXT]"
    summary: ClassVar[str] = "Words only you see, kept for ever; without any, your notes are shown."

    game: str
    board: int
    text: str

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board and the text."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} notes 123 USERID PASSWORD A plan")
        sentence.speaker()
        return cls(sentence.game, board, sentence.text())
