"""Compute standings and ratings again, from results, and compare them with what is stored.

Standings: both sides come from the database in the same order and are compared row by row, so
that no more than a row of each is in memory. What differs is counted once more by itself: a
game may have ended in between.

Ratings: results are read in their order, (ended at, board), and each is rated from what this
very computation gave for the games before it. So a number that was changed is found, and
nothing that follows from it. Results that wait to be rated must be the last ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from sarsen.services.ratings.glicko import Strength, first_strength, rate_game, strength_after_pause
from sarsen.services.ratings.rating import measured_ratings
from sarsen.storage.models import Encounter, Player, Rating, Result, Standing

AT_ONCE = 1000  # rows of one query in memory: there may be millions
_COUNTS = ("won", "lost", "drawn")
_TALLY = {
    "all_won": Count("pk", filter=Q(score=1.0)),
    "all_lost": Count("pk", filter=Q(score=0.0)),
    "all_drawn": Count("pk", filter=~Q(score=1.0) & ~Q(score=0.0)),
}
_OF_PLAYER = ("player_id", "game")
_OF_PAIR = ("player_id", "opponent_id", "game", "seat")
_Row = tuple[tuple[Any, ...], tuple[Any, ...]]  # its key, its numbers
NEAR = 1e-6  # of a number: another machine may round otherwise
_RatingState = tuple[Strength, datetime | None, int]  # after the last rated game, since when, games


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the one that follows from the events.

    Attributes:
        about: `board 7`, `ann at druid`, or a table.
        what: Which fact of it: `position`, `scores`, `event 12` …
        stored: As the database has it; "" for nothing.
        recomputed: As a replay or a count gives it; "" for nothing.
        rules: How the rules differ under which it began: `1, now 2`; "" when they do not.
    """

    about: str
    what: str
    stored: str
    recomputed: str
    rules: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return what a program reads."""
        facts = {
            "about": self.about,
            "what": self.what,
            "stored": self.stored,
            "found": self.recomputed,
        }
        return facts | ({"rules": self.rules} if self.rules else {})


def total_differences() -> Iterator[Difference]:
    """Yield every total that is not what its parts add up to."""
    counted = _counted_results()
    yield from _compare("standing", Standing.objects.all(), _OF_PLAYER, counted)
    pairs = counted.exclude(opponent=None)
    yield from _compare("encounters", Encounter.objects.all(), _OF_PAIR, pairs)


def rating_differences() -> Iterator[Difference]:
    """Return every stored number that is not what the results give.

    Differences are computed once more: a game may have ended in between.
    """
    games = {*Result.objects.order_by().values_list("game", flat=True).distinct()}
    games |= {*Rating.objects.order_by().values_list("game", flat=True).distinct()}
    for game in sorted(games):
        differences = list(_game_differences(game))
        if differences:
            second = set(_game_differences(game))
            yield from (difference for difference in differences if difference in second)


def _counted_results() -> QuerySet[Result]:
    """Return the results that standings count: of public games, each side another player."""
    same_player = Result.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    own_games = Result.objects.filter(Exists(same_player.exclude(pk=OuterRef("pk"))), opponent=None)
    results = Result.objects.filter(is_private=False).exclude(opponent=F("player"))
    return results.exclude(match__in=own_games.values("match"))


def _compare(
    what: str, stored: QuerySet[Any], key: tuple[str, ...], parts: QuerySet[Any]
) -> Iterator[Difference]:
    """Compare stored totals with the sums of their parts.

    Args:
        key: Columns that name one total, in both.
    """
    stored_rows = stored.order_by(*key).values_list(*key, *_COUNTS)
    grouped = parts.order_by(*key).values(*key).annotate(**_TALLY).values_list(*key, *_TALLY)
    nothing = (0,) * len(_COUNTS)
    for key_values, total, sums in _paired(_rows(stored_rows, len(key)), _rows(grouped, len(key))):
        if (total or nothing) == (sums or nothing):
            continue
        key_fields = dict(zip(key, key_values, strict=True))
        stored_now = stored.filter(**key_fields).values_list(*_COUNTS).first() or nothing
        counted = parts.filter(**key_fields).aggregate(**_TALLY)
        sums_now = tuple(counted[name] or 0 for name in _TALLY)
        if stored_now != sums_now:
            yield Difference(
                _about(key_fields), what, _format_counts(stored_now), _format_counts(sums_now)
            )


def _rows(rows: Any, width: int) -> Iterator[_Row]:
    for row in rows.iterator(chunk_size=AT_ONCE):
        yield tuple(row[:width]), tuple(row[width:])


def _paired(
    left: Iterator[_Row], right: Iterator[_Row]
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]]:
    """Join two lists that are in the order of their keys; () where one has no row."""
    sides = [((key, side, row) for key, row in rows) for side, rows in enumerate((left, right))]
    for key, rows in groupby(merge(*sides, key=itemgetter(0)), key=itemgetter(0)):
        by_side = {side: row for _, side, row in rows}
        yield key, by_side.get(0, ()), by_side.get(1, ())


def _about(key_fields: dict[str, Any]) -> str:
    """Return the player and game, or pair of players, of a total."""
    return " ".join(
        _userid(value) if name.endswith("_id") else str(value) for name, value in key_fields.items()
    )


def _userid(key: int) -> str:
    userid = Player.everyone.filter(pk=key).values_list("userid", flat=True).first()
    return userid or f"player {key}"


def _format_counts(numbers: Sequence[Any]) -> str:
    return ", ".join(f"{name} {number}" for name, number in zip(_COUNTS, numbers, strict=True))


def _game_differences(game: str) -> Iterator[Difference]:
    states: dict[int, _RatingState] = {}
    measured = measured_ratings(game)
    waits = 0  # the first board that waits
    for board, rows in groupby(_results(game), key=lambda row: row.match_id):
        pair = list(rows)
        if len(pair) != 2:
            yield Difference(f"board {board}", "rated results", "not two", "two")
        elif any(row.rating is None for row in pair):
            waits = waits or board
        elif waits:
            yield Difference(f"board {board}", "rating", "rated", f"waits after board {waits}")
        else:
            yield from _board_differences((pair[0], pair[1]), states, measured)
    yield from _player_differences(game, states)


def _results(game: str) -> Iterator[Result]:
    """Read the results that count in their order, some at a time."""
    rows = Result.objects.filter(game=game, is_rated=True).select_related("player")
    rows = rows.order_by("at", "match_id", "seat")
    batch = list(rows[:AT_ONCE])
    while batch:
        yield from batch
        last = batch[-1]
        later = Q(at__gt=last.at) | Q(at=last.at, match_id__gt=last.match_id)
        later |= Q(at=last.at, match_id=last.match_id, seat__gt=last.seat)
        batch = list(rows.filter(later)[:AT_ONCE])


def _board_differences(
    rows: tuple[Result, Result], states: dict[int, _RatingState], measured: tuple[float, ...]
) -> Iterator[Difference]:
    """Rate one board, compare both rows, and note what their players have then."""
    states_before = [
        states.get(row.player_id) or (first_strength(row.player.level, measured), None, 0)
        for row in rows
    ]
    before = [
        strength_after_pause(state[0], state[1], row.at)
        for state, row in zip(states_before, rows, strict=True)
    ]
    after = rate_game(before[0], before[1], rows[0].score)
    for row, old, new, state in zip(rows, before, after, states_before, strict=True):
        states[row.player_id] = new, row.at, state[2] + 1
        stored = (
            row.before_rating,
            row.before_deviation,
            row.rating,
            row.deviation,
            row.volatility,
        )
        computed = (old.rating, old.deviation, *vars(new).values())
        if not _are_near(stored, computed):
            what = f"rating of {row.player.userid}"
            yield Difference(f"board {row.match_id}", what, _decimals(stored), _decimals(computed))


def _player_differences(game: str, states: dict[int, _RatingState]) -> Iterator[Difference]:
    """Compare the ratings that are shown with those after each player's last rated game."""
    last = 0
    rows = Rating.objects.filter(game=game).select_related("player").order_by("player_id")
    while batch := list(rows.filter(player_id__gt=last)[:AT_ONCE]):
        for row in batch:
            state = states.pop(row.player_id, None)
            stored = (row.rating, row.deviation, row.volatility)
            stored_text = f"{_decimals(stored)}, {row.matches} games, {row.rated_at}"
            if state is None:
                yield Difference(f"{row.player.userid} {game}", "rating", stored_text, "")
            elif state[1:] != (row.rated_at, row.matches) or not _are_near(
                stored, tuple(vars(state[0]).values())
            ):
                yield Difference(
                    f"{row.player.userid} {game}", "rating", stored_text, _format_state(state)
                )
        last = batch[-1].player_id
    for player, state in states.items():
        userid = Player.everyone.get(pk=player).userid
        yield Difference(f"{userid} {game}", "rating", "", _format_state(state))


def _are_near(stored: tuple[float | None, ...], computed: tuple[float, ...]) -> bool:
    return all(
        number is not None and math.isclose(number, expected, rel_tol=NEAR, abs_tol=NEAR)
        for number, expected in zip(stored, computed, strict=True)
    )


def _decimals(numbers: tuple[float | None, ...]) -> str:
    return " ".join("none" if number is None else f"{number:.6f}" for number in numbers)


def _format_state(state: _RatingState) -> str:
    return f"{_decimals(tuple(vars(state[0]).values()))}, {state[2]} games, {state[1]}"
