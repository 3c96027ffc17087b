"""What a rating period does: from results to strengths, pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from sarsen.services.ratings.glicko import NEWCOMER, Game, Strength, after_games, after_idle

Name = TypeVar("Name", bound=Hashable)


def rate_period(
    before: Mapping[Name, Strength], results: Iterable[tuple[Name, Name, float]]
) -> dict[Name, Strength]:
    """Give everybody's strength after a period of one game.

    All games count as if played at once, so their order does not matter. Who did not
    play grows less certain.

    Args:
        before: Who is not in it is a newcomer.
        results: Pairs of players with the score of the first, 0 to 1.
    """
    games: dict[Name, list[Game]] = defaultdict(list)
    for first, second, score in results:
        games[first].append(Game(before.get(second, NEWCOMER), score))
        games[second].append(Game(before.get(first, NEWCOMER), 1.0 - score))
    after = {name: after_idle(strength) for name, strength in before.items() if name not in games}
    for name, played in games.items():
        after[name] = after_games(before.get(name, NEWCOMER), played)
    return after


def rate_periods(
    results: Iterable[Iterable[tuple[Name, Name, float]]],
) -> dict[Name, Strength]:
    """Give everybody's strength after several periods of one game, from nothing."""
    strengths: dict[Name, Strength] = {}
    for of_period in results:
        strengths = rate_period(strengths, of_period)
    return strengths
