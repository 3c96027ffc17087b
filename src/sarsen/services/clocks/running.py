"""Start, charge and stop the clock of a match, as its events say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import F

from sarsen.language.grammar.dates import zone_called
from sarsen.services.bots import due_boards
from sarsen.services.clocks.arithmetic import (
    Pause,
    Pauses,
    of_player,
    pauses_of,
    vacations_of_mover,
)
from sarsen.services.clocks.turns import Act, Turn, decide, reserve_after
from sarsen.services.matches.terms import playing_time
from sarsen.services.request import OFFER, BoardEvent
from sarsen.storage.models import Match, MatchEvent, MatchSeat, Player

# Boards of one player worked out in one command. The sweep works out every other when its
# time comes, so that only its reminder may come late.
MOST_AT_ONCE = 1000
# Through the ORM's `bulk_update` this takes four times as long, for 10^6 boards an hour.
_WRITE_ANEW = f"UPDATE {Match._meta.db_table} SET due_at = %s, look_at = %s WHERE id = %s"  # noqa: S608


def keep_time(event: BoardEvent) -> None:
    """Charge the turn that an event ends, and start or stop the clock of its match."""
    match = event.match
    if event.kind == OFFER:
        return
    if event.turn_of is not None:
        has_moved = event.kind == MatchEvent.Kind.MOVE
        turn_ends(match, event.turn_of, event.now, has_moved=has_moved)
    if event.ends_match:
        stop(match)
    else:
        turn_begins(match, event.now)


def turn_begins(match: Match, now: datetime) -> None:
    """Start the clock of `match.seat_to_move`; the caller saves `CLOCK_COLUMNS`.

    Called when a match starts, and after every event that gives a turn: a move, or
    moves taken back. `turn_ends` charges the other seat. No clock runs for
    the server's own programs: how long they take is the server's doing.
    """
    if due_boards.is_bots_turn(match):
        stop(match)
        return
    time = playing_time(match.terms)
    reserve, zone = None, None
    if time.total is not None or time.weekends_are_off:
        seat = match.sitting[match.seat_to_move]
        reserve = _reserve(seat)
        zone = zone_called(seat.player.timezone) if time.weekends_are_off else None
    is_ever_away = match.sitting[match.seat_to_move].has_vacations
    vacations = vacations_of_mover(match, now) if is_ever_away else ()
    turn = Turn(now, time, reserve, Pauses(vacations, zone))
    match.turn_began_at = now
    match.reminders = 0
    match.warned_at = None
    _plan(match, turn, now)


def turn_ends(match: Match, seat: int, now: datetime, *, has_moved: bool = True) -> None:
    """Charge the turn that ends now to the reserve of its seat, and save that.

    Called before the next turn begins. A match without `--totaltime` has no
    reserves, and nothing is asked of the database.

    Args:
        has_moved: Add the increment; False when the turn ends otherwise, such as by
            moves taken back.
    """
    if match.turn_began_at is None or playing_time(match.terms).total is None:
        return
    sitting = match.sitting[seat]
    pauses = pauses_of({sitting.player_id}, match.turn_began_at, now)
    turn = _turn(match, sitting, pauses)
    left = reserve_after(turn, now)
    if left is not None:
        left = left if has_moved else left - turn.time.increment
        sitting.reserve = left.total_seconds()
        sitting.save(update_fields=["reserve"])


def stop(match: Match) -> None:
    """Stop the clock for good; the caller saves `CLOCK_COLUMNS`."""
    match.turn_began_at = match.due_at = match.look_at = match.warned_at = None
    match.reminders = 0


def hold_boards_of(player: Player) -> list[Match]:
    """Hold the boards whose clocks run for a player, to `work_out_again` when their pauses change.

    To be called before a row of theirs is changed: a player who moves holds a board first and
    writes to its players then. Both in the same order, or each waits for the other.
    """
    mine = Match.objects.select_for_update(of=("self",), no_key=True).filter(
        look_at__isnull=False, seats__player=player, seats__seat=F("seat_to_move")
    )
    return list(mine.order_by("pk")[:MOST_AT_ONCE])


def work_out_again(boards: Sequence[Match], now: datetime) -> None:
    """Set and save when running clocks run out, after pauses have changed; the caller locks."""
    if not boards:
        return
    for match, turn in zip(boards, turns_of(boards, now), strict=True):
        _plan(match, turn, now)
    written = connection.ops.adapt_datetimefield_value
    rows = [(written(match.due_at), written(match.look_at), match.pk) for match in boards]
    with connection.cursor() as cursor:
        cursor.executemany(_WRITE_ANEW, rows)


def turn_of(match: Match, now: datetime) -> Turn:
    """Return the running turn of a match, with every pause since it began."""
    return turns_of([match], now)[0]


def turns_of(boards: Sequence[Match], now: datetime) -> list[Turn]:
    """Return the running turns of matches, in their order; so many queries for any number."""
    began = [match.turn_began_at for match in boards if match.turn_began_at]
    assert len(began) == len(boards)  # all their clocks run
    keys = [match.pk for match in boards]
    moving = MatchSeat.objects.filter(match_id__in=keys, seat=F("match__seat_to_move"))
    seats = {seat.match_id: seat for seat in moving.select_related("player")}
    pauses = pauses_of({seat.player_id for seat in seats.values()}, min(began), now)
    return [_turn(match, seats[match.pk], pauses) for match in boards]


def _turn(match: Match, seat: MatchSeat, pauses: tuple[Pause, ...]) -> Turn:
    assert match.turn_began_at is not None  # a clock runs
    time = playing_time(match.terms)
    zone = zone_called(seat.player.timezone) if time.weekends_are_off else None
    return Turn(
        match.turn_began_at,
        time,
        _reserve(seat),
        Pauses(of_player(pauses, seat.player_id), zone),
        was_nagged=match.reminders > 0,
        warned_at=match.warned_at,
    )


def _plan(match: Match, turn: Turn, now: datetime) -> None:
    """Keep when the move is due, and when the sweep must look."""
    planned = decide(turn, now)
    match.due_at = planned.due_at
    # What is due at this very moment is the sweep's to do.
    match.look_at = planned.look_at if planned.act is Act.WAIT else now


def _reserve(seat: MatchSeat) -> timedelta | None:
    return None if seat.reserve is None else timedelta(seconds=seat.reserve)
