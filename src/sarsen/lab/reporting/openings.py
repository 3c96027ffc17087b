"""The first moves of a game: what the judge expects of each, and what became of some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sarsen.lab.reporting.measures import Games, points
from sarsen.lab.reporting.plan import BALANCE, OPENING
from sarsen.lab.reporting.statistics import Figure, share


@dataclass(frozen=True)
class Opening:
    """A first move.

    Attributes:
        value: The first seat's expected score by the judge.
        played: Its score in games of the strongest, where it was played out.
    """

    text: str
    value: float
    played: Figure | None = None


def openings(games: Games) -> list[Opening]:
    """Return the valued first moves, best first."""
    found = []
    for task, record in games.records.get(OPENING, ()):
        text = task.opening[0]
        pairs = games.records.get(BALANCE, ())
        played = [game for other, game in pairs if other.opening == (text,)]
        score = share(f"opening {text}", text, points(played, 0), len(played)) if played else None
        found.append(Opening(text, record.values[0], score))
    return sorted(found, key=lambda one: -one.value)


def balance(games: Games) -> Iterator[Figure]:
    """Yield what a swap would leave of the first seat's advantage."""
    played = [record for _, record in games.records.get(BALANCE, ())]
    label = "score of the first seat after the most balanced first moves"
    yield share("balanced", label, points(played, 0), len(played))
