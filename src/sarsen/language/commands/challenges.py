"""Commands about challenges: making, accepting, declining, withdrawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.commands.boards import Confirm
from sarsen.language.sentence import Credentials, Sentence

ANYONE = "anyone"


@dataclass(frozen=True)
class MakeChallenge:
    """Propose a game. The first named moves first.

    Attributes:
        options: The game's own, as typed: `-size=6 -nogaps`.
        terms: The server's: `--unrated`.
        names: Userids by seat; `anyone` leaves a seat open.
    """

    words: ClassVar[tuple[str, ...]] = ("challenge", "chall", "challange")
    usage: ClassVar[str] = "GAME challenge [-OPTIONS] [--OPTIONS] USERID1 USERID2"
    summary: ClassVar[str] = (
        "Propose a game; the first named moves first; `anyone` leaves a seat open to all."
    )

    game: str
    options: str
    terms: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        words = sentence.rest_words()
        names = [word for word in words if not word.startswith("-")]
        if not sentence.game:
            raise UserError("A challenge to which game?", code="game-missing", hint=cls.usage)
        if len(names) < 2:
            raise UserError(
                "A challenge names every player, the first mover first.",
                code="names-missing",
                hint=f"{sentence.game} challenge USERID1 USERID2",
            )
        if len(names) == 4:
            sentence.credentials = Credentials(names.pop(0), names.pop(0))
        return cls(
            game=sentence.game,
            options=" ".join(w for w in words if w.startswith("-") and not w.startswith("--")),
            terms=tuple(w for w in words if w.startswith("--")),
            names=tuple(names),
        )


def _number(sentence: Sentence, example: str) -> int:
    invited = sentence.context.challenge
    if invited is not None and not (sentence.left == 1 and sentence.peek().isdigit()):
        return invited
    return sentence.number("an invitation", example)


@dataclass(frozen=True)
class Accept:
    """Accept an invitation or take an open challenge."""

    words: ClassVar[tuple[str, ...]] = ("accept", "yes")
    usage: ClassVar[str] = "accept NUMBER"
    summary: ClassVar[str] = "Accept an invitation, or take an open challenge."

    number: int

    @classmethod
    def read(cls, sentence: Sentence) -> Accept | Confirm:
        invited = sentence.context.challenge
        board = sentence.context.board
        if invited is None and board is not None and not sentence.left:
            # "yes" in a reply to a board mail says yes to what that mail asked.
            return Confirm(sentence.game, board)
        number = _number(sentence, "accept 5")
        sentence.speaker()
        return cls(number)


@dataclass(frozen=True)
class Decline:
    """Decline an invitation, with a reason for the others if there is one."""

    words: ClassVar[tuple[str, ...]] = ("decline", "no")
    usage: ClassVar[str] = "decline NUMBER [REASON]"
    summary: ClassVar[str] = "Decline an invitation; the reason is passed on."

    number: int
    reason: str = ""

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        number = _number(sentence, "decline 5 too many games")
        sentence.speaker()
        return cls(number, sentence.rest()[:300])


@dataclass(frozen=True)
class Withdraw:
    """Take back a challenge that has not started."""

    words: ClassVar[tuple[str, ...]] = ("withdraw",)
    usage: ClassVar[str] = "withdraw NUMBER"
    summary: ClassVar[str] = "Take back a challenge of yours that has not started."

    number: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        number = _number(sentence, "withdraw 5")
        sentence.speaker()
        return cls(number)
