"""How fast a game goes, in words, and the terms of a challenge that come to it."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.translating import later


@dataclass(frozen=True)
class Speed:
    """A pace that players choose by its words.

    Attributes:
        key: Names it in a form.
        terms: What it stands for in a challenge, as typed; "" for the usual time.
        numbers: The same in figures.
    """

    key: str
    words: str
    terms: str
    numbers: str


SPEEDS: tuple[Speed, ...] = (
    Speed(
        "usual",
        later("A move every few days"),
        "",
        later("the usual: lost after 21 days without a move, a reminder after 7"),
    ),
    Speed(
        "daily",
        later("About a move a day"),
        "--nagtime=2 --totaltime=7 --increment=1",
        later("7 days of reserve, 1 more with each move, a reminder after 2"),
    ),
    Speed(
        "weekly",
        later("A week for a move"),
        "--nagtime=4 --forfeittime=7",
        later("lost after 7 days without a move, a reminder after 4"),
    ),
    Speed(
        "slow",
        later("No hurry"),
        "--nagtime=30 --forfeittime=120",
        later("lost after 120 days without a move, a reminder after 30"),
    ),
)


def speed_of(terms: str) -> Speed | None:
    """Return the speed of a challenge's terms; None where its figures are none of these."""
    times = {"nagtime", "forfeittime", "totaltime", "increment"}
    chosen = {word for word in terms.split() if word.lstrip("-").partition("=")[0] in times}
    return next((one for one in SPEEDS if set(one.terms.split()) == chosen), None)
