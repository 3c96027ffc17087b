"""The first moves of a game: what the judge expects of each, and what became of some.

Each first move is valued by several searches, whose differences give its interval. The
intervals of all first moves hold together: the best of many would otherwise look better than it
is by chance alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist, variance

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.lab.reporting.measures import ReportGames, points
from sarsen.lab.reporting.plan import BALANCE, LONGEST, OPENING
from sarsen.lab.reporting.statistics import Figure, share

TRIED = 3  # random games that a declared symmetry must map


@dataclass(frozen=True)
class Opening:
    """A first move.

    Attributes:
        value: The first seat's expected score by the judge.
        low, high: The ends of its interval; those of all first moves hold together at 95 %.
        searches: How many there were; one, in files of earlier versions, gives no interval.
        alike: The other first moves that a symmetry of the game maps it to.
        played: Its score in games of the strongest, where it was played out.
    """

    text: str
    value: float
    low: float = 0.0
    high: float = 1.0
    searches: int = 1
    alike: tuple[str, ...] = ()
    played: Figure | None = None

    @property
    def figure(self) -> Figure:
        """The value with its interval."""
        return Figure(self.text, self.text, self.value, self.low, self.high, self.searches, "%")

    @property
    def imbalance(self) -> tuple[float, float, float]:
        """How far from even the value is, at least, as measured, and at most."""
        low, high = self.low - 0.5, self.high - 0.5
        least = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
        return least, abs(self.value - 0.5), max(abs(low), abs(high))


def openings(games: ReportGames) -> list[Opening]:
    """Return the valued first moves, best first."""
    valued = games.records.get(OPENING, ())
    reach = _reach([record.values for _, record in valued])
    valued_openings = []
    for task, record in valued:
        text, values = task.opening[0], record.values
        value = sum(values) / len(values)
        half = reach(values)
        pairs = games.records.get(BALANCE, ())
        played = [game for other, game in pairs if other.opening == (text,)]
        score = share(f"opening {text}", text, points(played, 0), len(played)) if played else None
        low, high = max(0.0, value - half), min(1.0, value + half)
        alike = games.alike.get(text, ())
        valued_openings.append(Opening(text, value, low, high, len(values), alike, score))
    return sorted(valued_openings, key=lambda opening: -opening.value)


def _reach(rows: Sequence[Sequence[float]]) -> Callable[[Sequence[float]], float]:
    """Return a function to half of the interval of a row, by the spread within all rows.

    The spread of a few values is a poor estimate: that of all rows counts where it is larger.
    The quantile is Bonferroni's for so many rows, of Student's distribution.
    """
    several = [row for row in rows if len(row) > 1]
    freedom = sum(len(row) - 1 for row in several)
    pooled = sum(variance(row) * (len(row) - 1) for row in several) / max(1, freedom)
    times = student(1 - 0.025 / max(1, len(rows)), max(1, freedom))

    def half(row: Sequence[float]) -> float:
        if len(row) < 2:
            return 1.0
        return times * math.sqrt(max(pooled, variance(row)) / len(row))

    return half


def student(part: float, freedom: int) -> float:
    """Return a quantile of Student's distribution, by the expansion of Cornish and Fisher.

    Abramowitz and Stegun (1964), 26.7.5; too small by 1 % at three degrees of freedom.
    """
    z = NormalDist().inv_cdf(part)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def best(openings: Sequence[Opening]) -> list[Opening]:
    """Return the first moves that intervals do not separate from the best one.

    Returns:
        The best of them first; all of them where the search cannot tell them apart.
    """
    highest = max(openings, key=lambda opening: opening.value)
    return [opening for opening in openings if opening.high >= highest.low]


def most_balanced(openings: Sequence[Opening]) -> list[Opening]:
    """Return the first moves that intervals do not separate from the one nearest to even."""
    nearest = min((opening.imbalance[1:] for opening in openings), default=(0.0, 0.0))
    balanced = [opening for opening in openings if opening.imbalance[0] <= nearest[1]]
    return sorted(balanced, key=lambda opening: opening.imbalance[1])


def balance(games: ReportGames) -> Iterator[Figure]:
    """Yield what a swap would leave of the first seat's advantage."""
    played = [record for _, record in games.records.get(BALANCE, ())]
    label = "score of the first seat after the first moves nearest to even"
    yield share("balanced", label, points(played, 0), len(played))


def alike(game: object, start: AnyPosition) -> dict[str, tuple[str, ...]]:
    """Return one first move of each class, with the others that it is mapped to.

    A game may declare `symmetries`, which are meant for the board of default options: they
    count where they map random games with these options to games that end alike.
    """
    texts = [start.format(move) for move in start.legal_moves()]
    declared = getattr(game, "symmetries", {}).values()
    symmetries = [
        symmetry
        for symmetry in declared
        if all(_maps(symmetry, start, seed) for seed in range(TRIED))
    ]
    classes: dict[str, tuple[str, ...]] = {}
    for text in texts:
        if not any(text in others for others in classes.values()):
            classes[text] = _orbit(text, symmetries, start)
    return classes


def _orbit(
    text: str, symmetries: list[Callable[[str], str]], start: AnyPosition
) -> tuple[str, ...]:
    """Return what symmetries, one after the other, map a first move to, but for itself."""
    orbit, left = [text], [text]
    while left:
        current = left.pop()
        for symmetry in symmetries:
            image = start.format(start.parse(symmetry(current)))
            if image not in orbit:
                orbit.append(image)
                left.append(image)
    return tuple(sorted(orbit[1:]))


def _maps(mapped: Callable[[str], str], start: AnyPosition, seed: int) -> bool:
    """Return whether a random game is mapped to one with as many moves at each ply."""
    chance = random.Random(f"symmetry {seed}")
    position = image = start
    try:
        for move in position.legal_moves():  # each first move, as each may be asked for
            image.parse(mapped(position.format(move)))
        for _ in range(LONGEST):
            moves = position.legal_moves()
            if position.outcome() is not None or len(moves) != len(image.legal_moves()):
                break
            move = chance.choice(moves)
            other = image.parse(mapped(position.format(move)))
            position, image = position.play(move), image.play(other)
    except (UserError, LookupError, ValueError):  # it is of another board
        return False
    ends = position.outcome(), image.outcome()
    scores = [end and end.scores for end in ends]
    return scores[0] == scores[1] and len(position.legal_moves()) == len(image.legal_moves())
