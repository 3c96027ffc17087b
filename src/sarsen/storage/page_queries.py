"""What open pages ask for again and again: facts by number, equal as long as nothing is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection

from sarsen.storage.models import (
    Analyst,
    Challenge,
    ChallengeSeat,
    ChatLine,
    Claim,
    ContestBoard,
    ContestEvent,
    Match,
    MatchEvent,
    MatchSeat,
    Player,
    StreamItem,
)

_BOARD_SQL = (
    f"SELECT id, event_count, (SELECT MAX(id) FROM {ChatLine._meta.db_table} said"  # noqa: S608
    " WHERE said.match_id = board.id), offer,"
    f" (SELECT again.id || again.state FROM {Challenge._meta.db_table} again"
    " WHERE again.rematch_of_id = board.id ORDER BY again.id DESC LIMIT 1),"
    f" (SELECT COUNT(*) + COUNT(answered_at) FROM {Claim._meta.db_table} made"
    " WHERE made.match_id = board.id)"
    f" FROM {Match._meta.db_table} board WHERE id IN ({{numbers}})"
)
_OWN_SQL = (
    f"SELECT seat.player_id, 0, seat.match_id, seat.seat FROM {MatchSeat._meta.db_table} seat"  # noqa: S608
    f" JOIN {Match._meta.db_table} board ON board.id = seat.match_id"
    " WHERE seat.player_id IN ({numbers}) AND board.ended_at IS NULL"
    " AND seat.seat = board.seat_to_move"
    f" UNION ALL SELECT asked.player_id, 1, asked.id, asked.seat"
    f" FROM {ChallengeSeat._meta.db_table} asked"
    f" JOIN {Challenge._meta.db_table} challenge ON challenge.id = asked.challenge_id"
    f" WHERE asked.player_id IN ({{numbers}}) AND challenge.state = '{Challenge.State.OPEN}'"
    " AND NOT asked.has_accepted ORDER BY 1, 2, 3, 4"
)

_STREAM_SQL = (
    f"SELECT id, (SELECT MAX(number) FROM {StreamItem._meta.db_table} item"  # noqa: S608
    f" WHERE item.player_id = player.id), (SELECT MAX(id) FROM {StreamItem._meta.db_table} fresh"
    " WHERE fresh.player_id = player.id AND fresh.number IS NULL)"
    f" FROM {Player._meta.db_table} player WHERE id IN ({{numbers}})"
)
_CONTEST_SQL = (
    "SELECT contest_id, MAX(number),"  # noqa: S608
    f" (SELECT COUNT(*) FROM {ContestBoard._meta.db_table} placed"
    f" JOIN {Match._meta.db_table} board ON board.id = placed.match_id"
    " WHERE placed.contest_id = happened.contest_id AND board.ended_at IS NOT NULL)"
    f" FROM {ContestEvent._meta.db_table} happened"
    " WHERE contest_id IN ({numbers}) GROUP BY contest_id"
)
# Another sum, too, when an event is committed after one that has a higher id.
_PUBLIC_SQL = (
    f"SELECT 0, SUM(id) FROM (SELECT id FROM {MatchEvent._meta.db_table}"  # noqa: S608
    " ORDER BY id DESC LIMIT 100) newest"
)


def board_facts(boards: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the event count, last chat line, offer, rematch and claims of boards."""
    return {board: tuple(facts) for board, *facts in _rows(_BOARD_SQL, boards)}


def own_facts(players: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the boards and challenges that wait for players."""
    return _grouped(_rows(_OWN_SQL, players))


def stream_facts(players: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the last numbered item of players' streams, and the last without a number."""
    return {player: tuple(facts) for player, *facts in _rows(_STREAM_SQL, players)}


def public_facts(_zero: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return, under 0, a sum that changes with every event at any board."""
    return {zero: tuple(facts) for zero, *facts in _rows(_PUBLIC_SQL, ())}


def challenge_facts(challenges: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the state, board and seats of challenges."""
    seats = ChallengeSeat.objects.filter(challenge__in=challenges).order_by("challenge", "seat")
    columns = ("challenge", "challenge__state", "challenge__match", "player", "has_accepted")
    return _grouped(seats.values_list(*columns))


def contest_facts(contests: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the number of the last event of contests, and how many of their boards have ended."""
    return {contest: tuple(facts) for contest, *facts in _rows(_CONTEST_SQL, contests)}


def analyst_facts(analysts: Sequence[int]) -> dict[int, tuple[Any, ...]]:
    """Return the numbers and the states of the questions of askers."""
    rows = Analyst.objects.filter(pk__in=analysts).values_list("pk", "number", "state")
    return _grouped(rows)


def _rows(sql: str, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return what a statement finds; its numbers are our own, so that they may stand in it."""
    with connection.cursor() as cursor:
        cursor.execute(sql.format(numbers=",".join(map(str, numbers))))
        return list(cursor.fetchall())


def _grouped(rows: Iterable[tuple[Any, ...]]) -> dict[int, tuple[Any, ...]]:
    """Return the rows by their first column."""
    return {
        number: tuple(tuple(row[1:]) for row in group)
        for number, group in groupby(rows, itemgetter(0))
    }
