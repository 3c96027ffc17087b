"""Decide the boards that still run at the end date of a contest (E16).

A win that is proved counts, and is rated; see `proving`. What else decides is not rated.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sarsen.core.phrases import Phrase
from sarsen.language.translating import N_
from sarsen.services.clocks.turns import (
    Pauses,
    counted_time,
    pauses_of,
    pauses_of_player,
    vacations_since,
)
from sarsen.services.contests.course.proving import proved_winner
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import ContestGame, Kind
from sarsen.services.matches import history, matches
from sarsen.services.matches.matches import position_of
from sarsen.services.matches.terms import vacation_limit
from sarsen.services.request import Request
from sarsen.storage.models import ContestBoard, Match

PROVED = N_("{side} can force a win: it is proven, and the rules have checked it.")
NO_MOVE = N_("{side} had not made a first move by the end date.")
LESS_TIME = N_("{side} had used less time by the end date.")
ABOUT_EQUAL = N_("Both had used about the same time by the end date.")
# The side that has used more must have used more than a quarter above the other: 5 (a - b) > a.
FACTOR = 5


def decide(held: Held, game: ContestGame, request: Request) -> None:
    """End a board by the law: a proved win, then no first move, then less time, else a draw.

    The caller has locked the boards.
    """
    ends_at = held.state.ends_at
    assert ends_at is not None  # a running contest has dates
    assert game.board is not None  # it runs
    row = ContestBoard.objects.select_related("match").get(match=game.board)
    match, winner = row.match, proved_winner(row)
    if winner is None:
        scores, reason = verdict(match, ends_at, request.now)
        # A result that the players did not bring about says nothing of their strength.
        match.terms["unrated"] = True
        match.save(update_fields=["terms"])
    else:
        scores = _won(winner)
        reason = Phrase(PROVED, side=position_of(match).sides[winner])
    matches.follow_up(matches.record_decision(match, scores, str(reason), request))
    facts: dict[str, object] = {"key": game.key, "scores": list(scores), "why": str(reason)}
    if winner is not None:
        facts["proved"] = True
    held.add(Kind.DECIDED, request.now, facts, due=ends_at)


def verdict(match: Match, ends_at: datetime, now: datetime) -> tuple[tuple[float, float], Phrase]:
    """Return the scores by seat, and the reason."""
    sides = position_of(match).sides
    if match.ply < len(sides):
        # Nobody has begun, or only the first player: the one who is due has made no move yet.
        late = match.seat_to_move
        return _won(1 - late), Phrase(NO_MOVE, side=sides[late])
    used = time_used(match, ends_at, now)
    winner = quicker(used)
    if winner is None:
        return (0.5, 0.5), Phrase(ABOUT_EQUAL)
    return _won(winner), Phrase(LESS_TIME, side=sides[winner])


def quicker(used: tuple[timedelta, timedelta]) -> int | None:
    """Return the seat that has used clearly less time; None where neither has."""
    more, less = max(used), min(used)
    return used.index(less) if FACTOR * (more - less) > more else None


def time_used(match: Match, until: datetime, now: datetime) -> tuple[timedelta, timedelta]:
    """Return the counted time of each seat, the running turn included."""
    players = [row.player_id for row in match.seat_rows]
    limit = vacation_limit(match.terms)
    pauses = pauses_of(set(players), vacations_since(match, match.started_at), now)
    used = [timedelta(), timedelta()]
    began = match.started_at
    for move in history.moves_of(match):
        spans = Pauses(pauses_of_player(pauses, players[move.seat], limit))
        used[move.seat] += counted_time(began, move.at, spans)
        began = move.at
    late = match.seat_to_move
    spans = Pauses(pauses_of_player(pauses, players[late], limit))
    used[late] += counted_time(began, until, spans)
    return used[0], used[1]


def _won(seat: int) -> tuple[float, float]:
    return (1.0, 0.0) if seat == 0 else (0.0, 1.0)
