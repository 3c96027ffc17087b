"""Commands about what the server sends, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.sentence import Sentence


@dataclass(frozen=True)
class ChangeNotices:
    """Say what of an event reaches the speaker and how; nothing named: show the matrix.

    Attributes:
        event: An event, `all`, `quiet` (hours), `digest` (its hour), `webhook`,
            `push` or "".
        channel: `mail`, `digest` or `none`; hours (`22-7`), an address, events,
            or `off`.
    """

    words: ClassVar[tuple[str, ...]] = ("notices", "notify")
    usage: ClassVar[str] = "notices [USERID PASSWORD] [EVENT mail|digest|none]"
    summary: ClassVar[str] = (
        "What is mailed at once, what waits for the daily digest, what is not sent. Also "
        "`notices quiet 22-7`, `notices digest 18`, `notices webhook ADDRESS`, `notices push turn "
        "reminder`, `notices feeds new`."
    )

    event: str = ""
    channel: str = ""

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read an event and a channel."""
        sentence.speaker()
        return cls(sentence.take().lower(), sentence.rest())


@dataclass(frozen=True)
class Deliveries:
    """Ask what was sent to the speaker lately, and how it went."""

    words: ClassVar[tuple[str, ...]] = ("deliveries",)
    usage: ClassVar[str] = "deliveries [USERID PASSWORD]"
    summary: ClassVar[str] = "What was sent to you in the last 30 days, when, and how it went."

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read nothing but the speaker."""
        sentence.speaker()
        return cls()


@dataclass(frozen=True)
class Subscribe:
    """Watch boards, players or games; nothing named: show what is watched.

    Attributes:
        names: Board numbers, userids, games, `weekly`.
    """

    words: ClassVar[tuple[str, ...]] = ("subscribe", "watch", "observe")
    usage: ClassVar[str] = "subscribe [USERID PASSWORD] BOARD|USERID|GAME|weekly …"
    summary: ClassVar[str] = (
        "Observe: the mails of a board, the games of a player or of a game, or the weekly letter."
    )

    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read names; in an answer to a board mail the board may be left out."""
        return cls(_watched(sentence))


@dataclass(frozen=True)
class Unsubscribe:
    """Watch no more."""

    words: ClassVar[tuple[str, ...]] = ("unsubscribe", "unwatch")
    usage: ClassVar[str] = "unsubscribe [USERID PASSWORD] BOARD|USERID|GAME|weekly|all …"
    summary: ClassVar[str] = "Observe no more."

    names: tuple[str, ...]

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read names; in an answer to a board mail the board may be left out."""
        names = _watched(sentence)
        if not names:
            raise UserError(
                "Unsubscribe from what?", code="subscription-missing", hint="unsubscribe 123"
            )
        return cls(names)


def _watched(sentence: Sentence) -> tuple[str, ...]:
    """Read what to watch; the speaker may stand before it or, as on boards, after it."""
    boards = []
    while sentence.peek().lstrip("#").isdigit():
        boards.append(sentence.take().lstrip("#"))
    sentence.speaker(leaves=0 if boards or sentence.game else 1)
    rest = sentence.rest_words()
    if boards or rest:
        # `druid subscribe 123`: the board says which game it is.
        game = (sentence.game,) if sentence.game and not boards else ()
        return (*boards, *game, *rest)
    if sentence.game:
        return (sentence.game,)
    board = sentence.context.board
    return () if board is None else (str(board),)
