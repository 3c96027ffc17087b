"""The ratings once more, from the results people know and the paper's formulas."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sarsen.storage.models import Match, Rating, RatingPeriod
from simulation.glicko import Strength, after_period

if TYPE_CHECKING:
    from simulation.month import Month

PERIOD_DAYS = 7
RATED_PLIES = 4
FORFEITED_PLIES = 2
TAU, MOST_DEVIATION = 0.5, 350.0
NEWCOMER = Strength(1500.0, 350.0, 0.06)
CLOSE_ENOUGH = 0.001  # points; the two stop iterating at different places
AS_VOLATILE = 1e-6

# By game and period: the players and the score of the first.
Results = dict[str, dict[int, list[tuple[str, str, float]]]]


def ratings(month: Month) -> list[str]:
    """Every stored rating is what the results give; nobody has one without a result."""
    closed = RatingPeriod.objects.exclude(closed_at=None).count()
    stored = {(row.player.userid, row.game): row for row in Rating.objects.select_related("player")}
    faults = []
    for game, by_period in _results(month).items():
        wanted = _after(by_period, closed)
        for userid, (strength, last) in wanted.items():
            row = stored.pop((userid, game), None)
            if row is None:
                faults.append(f"{userid} has no rating at {game}, but {strength}")
                continue
            is_right = (
                abs(row.rating - strength.rating) < CLOSE_ENOUGH
                and abs(row.deviation - strength.deviation) < CLOSE_ENOUGH
                and abs(row.volatility - strength.volatility) < AS_VOLATILE
                and row.period == last
            )
            if not is_right:
                faults.append(f"{userid} at {game} is {row.rating}, should be {strength}")
    faults += [f"{userid} has a rating at {game} for nothing" for userid, game in stored]
    month.book.counts["ratings compared"] = Rating.objects.count()
    month.book.counts["rating periods closed"] = closed
    return faults


def _results(month: Month) -> Results:
    found: Results = defaultdict(lambda: defaultdict(list))
    for match in Match.objects.exclude(ended_at=None):
        board = month.book.boards[match.pk]
        least = FORFEITED_PLIES if board.ended == "forfeit" else RATED_PLIES
        if "--unrated" in board.terms or len(board.moves) < least:
            continue
        assert match.ended_at is not None
        assert match.scores is not None
        first, second = board.players
        period = _period(match.ended_at, month.begin)
        found[board.game][period].append((first, second, match.scores[0]))
    return found


def _period(at: datetime, begin: datetime) -> int:
    """Number the periods from 1: the first begins on the Monday of the month's begin."""
    monday = begin.replace(hour=0) - timedelta(days=begin.weekday())
    return int((at - monday) / timedelta(days=PERIOD_DAYS)) + 1


def _after(
    by_period: dict[int, list[tuple[str, str, float]]], closed: int
) -> dict[str, tuple[Strength, int]]:
    """Give everybody's strength after their last period with a result, and which it was."""
    now: dict[str, Strength] = {}
    kept: dict[str, tuple[Strength, int]] = {}
    for period in range(1, closed + 1):
        games: dict[str, list[tuple[Strength, float]]] = defaultdict(list)
        for first, second, score in by_period.get(period, []):
            games[first].append((now.get(second, NEWCOMER), score))
            games[second].append((now.get(first, NEWCOMER), 1 - score))
        now = {
            userid: after_period(
                now.get(userid, NEWCOMER), games.get(userid, []), TAU, MOST_DEVIATION
            )
            for userid in {*now, *games}
        }
        kept |= {userid: (now[userid], period) for userid in games}
    return kept
