"""The table of a contest: points, ties and places (E15, E17 to E19).

It depends on the set of results, and not on their order (E18). Ratings and lots never part a tie.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any

from sarsen.services.contests.state import ContestGame, Entrant, State

MAX_EXACT = 8  # open boards up to which all 3^k outcomes are tried: 6,561
OUTCOMES = ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))


@dataclass(frozen=True)
class Row:
    """An entrant in the table.

    Attributes:
        place: From 1; `shared_to` is the last place of those who share it, else the same.
        points: 1 for a win, a half for a draw; running games count 0 so far (E19).
        berger: Sonneborn-Berger: each score times the final points of that opponent, summed.
        best, worst: The places that can still be reached (E15).
    """

    entrant: Entrant
    place: int
    shared_to: int
    points: float
    berger: float
    best: int
    worst: int

    @property
    def tier(self) -> int:
        return self.entrant.tier


def make_table(
    state: State, numbers: Collection[int], to_come: Sequence[tuple[int, int]]
) -> tuple[Row, ...]:
    """Return the rows of a tier in the order of places; those who share one by their numbers.

    Entrants whose games are annulled stand below all others.

    Args:
        numbers: The entrants of the tier.
        to_come: The pairs whose boards have not begun yet.
    """
    members = set(numbers)
    boards = [
        board
        for tier in {state.by_number[number].tier for number in members}
        for board in state.boards_by_tier.get(tier, ())
    ]
    counted = [board for board in boards if board.scores is not None]
    open_pairs = [board.numbers for board in boards if board.is_running]
    open_pairs += [pair for pair in to_come if pair[0] in members]
    points = _points(numbers, counted)
    bergers = _bergers(numbers, counted, points)
    direct = _direct(points, counted, open_pairs)
    against_odds = _wins_against_odds(counted, state.law.worse_seat)
    annulled = {number for number in numbers if state.by_number[number].is_annulled}
    order = {
        number: (
            number in annulled,
            -points[number],
            -direct[number],
            -bergers[number],
            -against_odds[number],
        )
        for number in numbers
    }
    counting = {number: reached for number, reached in points.items() if number not in annulled}
    reachable = places(counting, open_pairs)
    rows: list[Row] = []
    for _, tied in groupby(sorted(numbers, key=lambda one: (order[one], one)), key=order.get):
        shared = list(tied)
        place, last = len(rows) + 1, len(rows) + len(shared)
        for number in shared:
            # When all is over, places are those of the table.
            is_settled = not open_pairs or number in annulled
            best, worst = (place, last) if is_settled else reachable[number]
            entrant = state.by_number[number]
            rows.append(Row(entrant, place, last, points[number], bergers[number], best, worst))
    return tuple(rows)


def table_facts(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return a table as the log of its contest keeps it; it is made anew to be compared."""
    return [
        {
            "player": row.entrant.player,
            "place": row.place,
            "shared_to": row.shared_to,
            "points": row.points,
            "sb": row.berger,
        }
        for row in rows
    ]


def points_of(state: State) -> Mapping[int, float]:
    """Return the points of each entrant so far, by number."""
    numbers = [entrant.number for entrant in state.entrants]
    return _points(numbers, (game for game in state.boards if game.scores is not None))


def places(
    points: Mapping[int, float], open_pairs: Sequence[tuple[int, int]]
) -> Mapping[int, tuple[int, int]]:
    """Return the best and worst place that each entrant can still reach, by number (E15).

    They come from points alone, and are sound: whatever the open games bring, the place lies in
    between. With few open games all outcomes are tried, and they are exact.
    """
    if len(open_pairs) <= MAX_EXACT:
        return _exact_places(points, open_pairs)
    left = Counter(number for pair in open_pairs for number in pair)
    highest = {number: reached + left[number] for number, reached in points.items()}
    return {
        one: (
            1 + sum(reached > highest[one] for reached in points.values()),
            sum(reachable >= points[one] for reachable in highest.values()),
        )
        for one in points
    }


def _exact_places(
    points: Mapping[int, float], games: Sequence[tuple[int, int]]
) -> Mapping[int, tuple[int, int]]:
    best = dict.fromkeys(points, len(points))
    worst = dict.fromkeys(points, 1)
    for outcome in product(OUTCOMES, repeat=len(games)):
        final = dict(points)
        for (first, second), (one, other) in zip(games, outcome, strict=True):
            final[first] += one
            final[second] += other
        ranked = sorted(final.values(), reverse=True)
        for number, reached in final.items():
            above = ranked.index(reached)
            best[number] = min(best[number], above + 1)
            worst[number] = max(worst[number], above + ranked.count(reached))
    return {number: (best[number], worst[number]) for number in points}


def _points(numbers: Iterable[int], boards: Iterable[ContestGame]) -> dict[int, float]:
    points = dict.fromkeys(numbers, 0.0)
    for board in boards:
        for number, score in zip(board.numbers, board.scores or (), strict=True):
            points[number] += score
    return points


def _bergers(
    numbers: Iterable[int], boards: Iterable[ContestGame], points: Mapping[int, float]
) -> dict[int, float]:
    bergers = dict.fromkeys(numbers, 0.0)
    for board in boards:
        first, second = board.numbers
        assert board.scores is not None  # counted
        bergers[first] += board.scores[0] * points[second]
        bergers[second] += board.scores[1] * points[first]
    return bergers


def _wins_against_odds(counted: Iterable[ContestGame], worse_seat: int | None) -> Counter[int]:
    """Count the wins of each from the seat that is known as the worse one (E32)."""
    if worse_seat is None:
        return Counter()
    return Counter(
        game.numbers[worse_seat]
        for game in counted
        if game.scores is not None and game.scores[worse_seat] == 1.0
    )


def _direct(
    points: Mapping[int, float],
    counted: Sequence[ContestGame],
    open_pairs: Sequence[tuple[int, int]],
) -> dict[int, float]:
    """Return the points of each among those with as many points, once those games are over."""
    tied = defaultdict(set)
    for number, reached in points.items():
        tied[reached].add(number)
    direct = dict.fromkeys(points, 0.0)
    for group in tied.values():
        if not any(group.issuperset(pair) for pair in open_pairs):
            direct |= _points(group, (game for game in counted if group.issuperset(game.numbers)))
    return direct
