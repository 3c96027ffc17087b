"""Queries about strength and past games: tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.language.sentence import Sentence


@dataclass(frozen=True)
class Standings:
    """Ask who has won how many games.

    Attributes:
        userids: None for everybody; one for that player against each other; two head to head.
    """

    words: ClassVar[tuple[str, ...]] = ("standings", "score")
    usage: ClassVar[str] = "GAME standings [USERID [USERID]]"
    summary: ClassVar[str] = "Who won, lost and drew how often; with two names, head to head."

    game: str
    userids: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read userids."""
        return cls(sentence.game, sentence.rest_words())


@dataclass(frozen=True)
class Ratings:
    """Ask how strong players are."""

    words: ClassVar[tuple[str, ...]] = ("ratings", "rating")
    usage: ClassVar[str] = "GAME ratings [USERID …]"
    summary: ClassVar[str] = "Glicko-2 ratings with their uncertainty; `?` marks provisional ones."

    game: str
    userids: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read userids."""
        return cls(sentence.game, sentence.rest_words())


@dataclass(frozen=True)
class History:
    """Ask for finished games, newest first."""

    words: ClassVar[tuple[str, ...]] = ("history",)
    usage: ClassVar[str] = "GAME history [USERID [USERID]]"
    summary: ClassVar[str] = "Finished games with dates, results and what they did to ratings."

    game: str
    userids: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read userids."""
        return cls(sentence.game, sentence.rest_words())
