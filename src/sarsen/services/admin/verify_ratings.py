"""Rate every game again, from the results alone, and compare with what is stored.

The results are read in their order, (ended at, board), and each is rated from what this
very computation gave for the games before it. So a number that was changed is found, and
nothing that follows from it. Results that wait to be rated must be the last ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

from django.db.models import Q

from sarsen.services.admin.differences import Difference
from sarsen.services.ratings.glicko import Strength, first_strength, grown, rate_game
from sarsen.storage.models import Player, Rating, Result

AT_ONCE = 1000  # rows of one query in memory
NEAR = 1e-6  # of a number: another machine may round otherwise
_Stood = tuple[Strength, datetime | None, int]  # after the last rated game, since when, games


def differences() -> Iterator[Difference]:
    """Return every stored number that is not what the results give.

    Differences are computed once more: a game may have ended in between.
    """
    games = {*Result.objects.order_by().values_list("game", flat=True).distinct()}
    games |= {*Rating.objects.order_by().values_list("game", flat=True).distinct()}
    for game in sorted(games):
        found = list(_of_game(game))
        if found:
            again = set(_of_game(game))
            yield from (one for one in found if one in again)


def _of_game(game: str) -> Iterator[Difference]:
    stood: dict[int, _Stood] = {}
    waits = 0  # the first board that waits
    for board, rows in groupby(_results(game), key=lambda row: row.match_id):
        first, second = _pair(list(rows))
        if first is None or second is None:
            yield Difference(f"board {board}", "rated results", "not two", "two")
        elif first.rating is None or second.rating is None:
            waits = waits or board
        elif waits:
            yield Difference(f"board {board}", "rating", "rated", f"waits after board {waits}")
        else:
            yield from _of_board(first, second, stood)
    yield from _of_players(game, stood)


def _results(game: str) -> Iterator[Result]:
    """Read the results that count in their order, some at a time."""
    rows = Result.objects.filter(game=game, is_rated=True).select_related("player")
    rows = rows.order_by("at", "match_id", "seat")
    some = list(rows[:AT_ONCE])
    while some:
        yield from some
        last = some[-1]
        after = Q(at__gt=last.at) | Q(at=last.at, match_id__gt=last.match_id)
        after |= Q(at=last.at, match_id=last.match_id, seat__gt=last.seat)
        some = list(rows.filter(after)[:AT_ONCE])


def _pair(rows: list[Result]) -> tuple[Result | None, Result | None]:
    return (rows[0], rows[1]) if len(rows) == 2 else (None, None)


def _of_board(first: Result, second: Result, stood: dict[int, _Stood]) -> Iterator[Difference]:
    """Rate one board, compare both rows, and note what their players have then."""
    rows = (first, second)
    was = [_stood(row.player, stood) for row in rows]
    before = [grown(one[0], one[1], row.at) for one, row in zip(was, rows, strict=True)]
    after = rate_game(before[0], before[1], first.score)
    for row, old, new, one in zip(rows, before, after, was, strict=True):
        stood[row.player_id] = new, row.at, one[2] + 1
        kept = (row.before_rating, row.before_deviation, row.rating, row.deviation, row.volatility)
        made = (old.rating, old.deviation, *vars(new).values())
        if not _are_near(kept, made):
            what = f"rating of {row.player.userid}"
            yield Difference(f"board {row.match_id}", what, _told(kept), _told(made))


def _stood(player: Player, stood: dict[int, _Stood]) -> _Stood:
    return stood.get(player.pk) or (first_strength(player.level), None, 0)


def _of_players(game: str, stood: dict[int, _Stood]) -> Iterator[Difference]:
    """Compare the ratings that are shown with those after each player's last rated game."""
    last = 0
    rows = Rating.objects.filter(game=game).select_related("player").order_by("player_id")
    while some := list(rows.filter(player_id__gt=last)[:AT_ONCE]):
        for row in some:
            made = stood.pop(row.player_id, None)
            kept = (row.rating, row.deviation, row.volatility)
            told = f"{_told(kept)}, {row.matches} games, {row.rated_at}"
            if made is None:
                yield Difference(f"{row.player.userid} {game}", "rating", told, "")
            elif made[1:] != (row.rated_at, row.matches) or not _are_near(
                kept, tuple(vars(made[0]).values())
            ):
                yield Difference(f"{row.player.userid} {game}", "rating", told, _words(made))
        last = some[-1].player_id
    for player, made in stood.items():
        userid = Player.everyone.get(pk=player).userid
        yield Difference(f"{userid} {game}", "rating", "", _words(made))


def _are_near(kept: tuple[float | None, ...], made: tuple[float, ...]) -> bool:
    return all(
        one is not None and math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)
        for one, other in zip(kept, made, strict=True)
    )


def _told(numbers: tuple[float | None, ...]) -> str:
    return " ".join("none" if one is None else f"{one:.6f}" for one in numbers)


def _words(made: _Stood) -> str:
    return f"{_told(tuple(vars(made[0]).values()))}, {made[2]} games, {made[1]}"
