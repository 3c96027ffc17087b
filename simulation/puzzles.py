"""A year of solvers and puzzles whose true strengths are known, rated by the server's own code.

The figures are how far ratings are from the truth by the number of tries, and their mean error.
Puzzles are chosen as the server chooses them: near the solver's rating, and not seen for half a
year. Nothing is stored, and no clock is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import exp
from random import Random
from statistics import fmean
from typing import Any

from sarsen.services.ratings.glicko import SCALE, Strength
from sarsen.services.ratings.puzzles import NEW_SOLVER, new_puzzle, rate_try

NEAR, FORGOTTEN_DAYS = 150.0, 180
PUZZLES = 200  # of a game: as many as ship
MAX_ERROR, MAX_DRIFT = 100.0, 25.0  # points
TRIES_A_DAY = 1.0  # of a solver, on average
STATED_ERROR = 150.0  # standard deviation of what a puzzle begins with, from its true strength
NEVER = -FORGOTTEN_DAYS  # the day on which a new puzzle was seen last
MARKS = (10, 30, 100, 300)  # tries, after which the error is noted


@dataclass
class Rated:
    """A solver or a puzzle.

    Attributes:
        truth: The strength by which tries are decided.
        strength: By the tries so far.
        errors: Rating less truth, by the number of tries.
    """

    truth: float
    strength: Strength
    tries: int = 0
    errors: dict[int, float] = field(default_factory=dict)

    @property
    def error(self) -> float:
        """How much the rating is too high, in points."""
        return self.strength.rating - self.truth

    def take(self, after: Strength) -> None:
        """Take the strength after a try."""
        self.strength, self.tries = after, self.tries + 1
        if self.tries in MARKS:
            self.errors[self.tries] = self.error


@dataclass(frozen=True)
class Figures:
    """What came of a simulated year, in points.

    Attributes:
        puzzles, solvers: By the number of tries: how many had so many, and the mean and the 90th
            percentile of the absolute error.
        drift: By the day: the mean error of all solvers and of all puzzles.
        tries: All together.
    """

    puzzles: dict[int, tuple[int, float, float]]
    solvers: dict[int, tuple[int, float, float]]
    drift: dict[int, tuple[float, float]]
    tries: int


def simulate(solvers: int, puzzles: int, days: int, seed: int) -> Figures:
    """Let solvers try puzzles for some days, and return how near ratings are to the truth."""
    chance = Random(seed)
    people = [Rated(chance.gauss(1500, 300), NEW_SOLVER) for _ in range(solvers)]
    shelf = []
    for _ in range(puzzles):
        stated = chance.randrange(850, 2000, 50)
        shelf.append(Rated(stated + chance.gauss(0, STATED_ERROR), new_puzzle(stated)))
    seen: list[dict[int, int]] = [{} for _ in people]
    drift = {}
    for day in range(days):
        for at, person in enumerate(people):
            while chance.random() < TRIES_A_DAY / (1 + TRIES_A_DAY):
                number = _choose(person, shelf, seen[at], day, chance)
                if number is None:
                    break
                seen[at][number] = day
                _try(person, shelf[number], chance)
        if day % 90 == 89 or day + 1 == days:
            drift[day + 1] = (_mean_error(people), _mean_error(shelf))
    tries = sum(person.tries for person in people)
    return Figures(_by_tries(shelf), _by_tries(people), drift, tries)


def _choose(
    person: Rated, shelf: Sequence[Rated], seen: dict[int, int], day: int, chance: Random
) -> int | None:
    own = person.strength.rating
    fresh = [at for at in range(len(shelf)) if day - seen.get(at, NEVER) >= FORGOTTEN_DAYS]
    near = [at for at in fresh if abs(shelf[at].strength.rating - own) <= NEAR]
    if near:
        return chance.choice(near)
    return min(fresh, key=lambda at: abs(shelf[at].strength.rating - own), default=None)


def _try(person: Rated, puzzle: Rated, chance: Random) -> None:
    is_solved = chance.random() < 1 / (1 + exp((puzzle.truth - person.truth) / SCALE))
    solver, opponent = rate_try(person.strength, puzzle.strength, is_solved=is_solved)
    person.take(solver)
    puzzle.take(opponent)


def _mean_error(rated: Iterable[Rated]) -> float:
    return fmean(one.error for one in rated if one.tries)


def _by_tries(rated: Iterable[Rated]) -> dict[int, tuple[int, float, float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for one in rated:
        for tries, error in one.errors.items():
            found[tries].append(abs(error))
    return {
        tries: (len(errors), fmean(errors), sorted(errors)[int(0.9 * (len(errors) - 1))])
        for tries, errors in sorted(found.items())
    }


def run_puzzles(solvers: int, days: int, seed: int) -> dict[str, Any]:
    """Return figures to print, and what is not as it must be.

    The specification of learning asks for puzzles within 100 points of the truth after 30 tries,
    on average, and for no drift.
    """
    found = simulate(solvers, PUZZLES, days, seed)
    figures: dict[str, Any] = {"tries": found.tries}
    for name, table in (("puzzles", found.puzzles), ("solvers", found.solvers)):
        for tries, (count, mean, ninth) in table.items():
            words = f"{mean:.0f} points, nine in ten within {ninth:.0f} (of {count})"
            figures[f"error of {name} after {tries} tries"] = words
    for day, (of_solvers, of_puzzles) in found.drift.items():
        figures[f"mean error on day {day}"] = (
            f"solvers {of_solvers:+.0f}, puzzles {of_puzzles:+.0f}"
        )
    faults = []
    if (after := found.puzzles.get(30)) is not None and after[1] > MAX_ERROR:
        faults.append(f"puzzles are {after[1]:.0f} points off after 30 tries")
    drifts = [of_puzzles for _, of_puzzles in found.drift.values()]
    if abs(drifts[-1] - drifts[0]) > MAX_DRIFT:
        faults.append(f"puzzles drift from {drifts[0]:+.0f} to {drifts[-1]:+.0f} points")
    return {"figures": figures, "faults": faults}
