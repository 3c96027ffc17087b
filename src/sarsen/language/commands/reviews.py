"""Commands about reviews: what a search says of a game that is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.sentence import Sentence


@dataclass(frozen=True)
class ShowReview:
    """Ask for the review of a finished game, or show it when it is done."""

    words: ClassVar[tuple[str, ...]] = ("review", "analyse", "analyze")
    usage: ClassVar[str] = "GAME review BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = (
        "After a game: the moves that mattered, what was better, and from where the result was "
        "proved. It is made in the background and then comes by mail."
    )

    game: str
    board: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} review 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board)


@dataclass(frozen=True)
class SetReviews:
    """Say whether every game of the speaker shall be reviewed when it ends."""

    words: ClassVar[tuple[str, ...]] = ("reviews",)
    usage: ClassVar[str] = "reviews [USERID PASSWORD] on|off"
    summary: ClassVar[str] = "With `on`, every game of yours is reviewed when it is over."

    are_on: bool

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read `on` or `off`."""
        sentence.speaker(leaves=1)
        word = sentence.take().lower()
        if word not in ("on", "off"):
            raise UserError(
                "Reviews of all your games are `on` or `off`. To ask for one: review BOARD",
                code="reviews-word",
                hint="reviews USERID PASSWORD on",
            )
        return cls(word == "on")
