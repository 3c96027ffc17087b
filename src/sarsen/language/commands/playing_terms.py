"""Commands about when and against whom a player plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.days import split_days
from sarsen.language.sentence import Sentence

OFF = "off"
_BETWEEN = ("from", "to", "until", "till", "-")


@dataclass(frozen=True)
class TakeVacation:
    """Stop all clocks of the speaker for some days.

    Attributes:
        starts, ends: Days as typed (`2026-12-24`, `24 Dec`, `tomorrow`), both included.
        is_off: Ends the present vacation, and forgets the planned ones.
    """

    words: ClassVar[tuple[str, ...]] = ("vacation", "holiday")
    usage: ClassVar[str] = "vacation [USERID PASSWORD] FROM TO | vacation [USERID PASSWORD] off"
    summary: ClassVar[str] = (
        "All your clocks stand still from one day to the other, both included; so many days a year."
    )

    starts: str = ""
    ends: str = ""
    is_off: bool = False

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read two days, or `off`."""
        known = bool(sentence.context.speaker)
        sentence.speaker(leaves=1)
        words = sentence.rest_words()
        if [word.lower() for word in words] == [OFF]:
            return cls(is_off=True)
        days = split_days(tuple(word for word in words if word.lower() not in _BETWEEN))
        if len(days) != 2:
            raise UserError(
                "A vacation has a first and a last day.",
                code="vacation-days",
                hint="vacation 2026-12-24 2027-01-02"
                if known
                else "vacation USERID PASSWORD 2026-12-24 2027-01-02",
            )
        return cls(days[0], days[1])


@dataclass(frozen=True)
class Refuse:
    """Say which challenges shall not reach the speaker; nothing named: show the list.

    Attributes:
        names: Userids, games, or `anyone`; `off` empties the list.
    """

    words: ClassVar[tuple[str, ...]] = ("refuse",)
    usage: ClassVar[str] = "refuse [USERID PASSWORD] USERID|GAME|anyone … | refuse … off"
    summary: ClassVar[str] = "Challenges from these players, or to these games, do not reach you."

    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read names."""
        sentence.speaker()
        return cls(sentence.rest_words())


@dataclass(frozen=True)
class Limit:
    """Say how many games at once the speaker wants; None for any number."""

    words: ClassVar[tuple[str, ...]] = ("limit",)
    usage: ClassVar[str] = "limit [USERID PASSWORD] N|off"
    summary: ClassVar[str] = "So many running games are enough: no challenge reaches you beyond."

    most: int | None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read a number or `off`."""
        sentence.speaker(leaves=1)
        if sentence.peek().lower() == OFF:
            sentence.take()
            return cls(None)
        if not sentence.left:
            raise UserError(
                "How many games are enough?",
                code="number-missing",
                hint="limit USERID PASSWORD 10",
            )
        return cls(sentence.number("games", "limit USERID PASSWORD 10"))


@dataclass(frozen=True)
class AutoAccept:
    """Say whose challenges start at once; nothing named: show the list.

    Attributes:
        names: Userids, games, or `anyone`; `off` empties the list.
    """

    words: ClassVar[tuple[str, ...]] = ("autoaccept",)
    usage: ClassVar[str] = "autoaccept [USERID PASSWORD] USERID|GAME|anyone … | autoaccept … off"
    summary: ClassVar[str] = "Challenges from these players, or to these games, start at once."

    names: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read names."""
        sentence.speaker()
        return cls(sentence.rest_words())
