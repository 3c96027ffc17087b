"""The clocks once more, counted hour by hour."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from sarsen.storage.models import MatchEvent, MatchSeat, OutgoingMail
from simulation.book import BookedBoard
from simulation.people import HOUR

if TYPE_CHECKING:
    from simulation.month import Month

DAY_HOURS = 24
USUAL_FORFEIT = 21 * DAY_HOURS


def clocks(month: Month) -> list[str]:
    """Nobody lost too early, or without a warning, and nobody plays on beyond the time."""
    faults = []
    lost = {
        event.match_id: event for event in MatchEvent.objects.filter(kind=MatchEvent.Kind.FORFEIT)
    }
    for number, board in month.book.boards.items():
        event = lost.get(number)
        if (event is not None) != (board.ended == "forfeit"):
            faults.append(f"board {number} is {board.ended or 'running'}, and not forfeited")
            continue
        if event is None and board.ended:
            continue
        end = event.at if event else month.end
        counted, budget, reserve = _turn(month, board, number, end)
        if event is None and reserve is not None:
            faults += _reserves(number, reserve)
        notice = max(min(DAY_HOURS, budget / 4), 0.25)
        if event is not None:
            since = month.book.unreached_since(board.mover)
            # No letter warns somebody whose address is dead; their clock runs all the same.
            is_warned = since is None or since > event.at
            faults += _lost_justly(number, event, counted, budget, notice, is_warned=is_warned)
        elif counted > max(budget, notice) + notice + 3:
            faults.append(f"board {number} runs {counted} hours of {budget}, and nobody lost")
    return faults


def _lost_justly(
    number: int,
    event: MatchEvent,
    counted: int,
    budget: float,
    notice: float,
    *,
    is_warned: bool,
) -> list[str]:
    faults = []
    if counted + 1 < budget:
        faults.append(f"board {number} was lost after {counted} hours of {budget}")
    warned = OutgoingMail.objects.filter(match_id=number, kind="last-warning")
    times = [letter.queued_at for letter in warned.order_by("queued_at")]
    if is_warned and (not times or event.at - times[-1] < timedelta(hours=notice) - HOUR):
        faults.append(f"board {number} was lost without a warning in time: {times}")
    return faults


def _reserves(number: int, reserve: list[float]) -> list[str]:
    """Compare what is left for all moves; a zone of half an hour may shift a vacation by one."""
    stored = MatchSeat.objects.filter(match_id=number).order_by("seat")
    left = [(seat.reserve or 0.0) / 3600 for seat in stored]
    if all(abs(one - other) <= 1 for one, other in zip(left, reserve, strict=True)):
        return []
    return [f"board {number} has reserves of {left} hours, should be {reserve}"]


def _turn(
    month: Month, board: BookedBoard, number: int, end: datetime
) -> tuple[int, float, list[float] | None]:
    """Return the hours counted of the last turn, those it may have, and the reserves at its start.

    None for reserves without a bound.
    """
    terms = dict(word.lstrip("-").split("=") for word in board.terms.split() if "=" in word)
    forfeit = float(terms.get("forfeittime", 21)) * DAY_HOURS
    reserve = None
    if "totaltime" in terms:
        reserve = [float(terms["totaltime"]) * DAY_HOURS] * 2
    began = board.started_at
    moves = MatchEvent.objects.filter(match_id=number, kind=MatchEvent.Kind.MOVE)
    for seat, at in moves.order_by("number").values_list("seat", "at"):
        if reserve is not None:
            used = _counted(month, board.players[seat], began, at)
            more = float(terms.get("increment", 0)) * DAY_HOURS
            reserve[seat] = max(reserve[seat] - used, 0) + more
        began = at
    late = board.position.seat
    counted = _counted(month, board.players[late], began, end)
    return counted, forfeit if reserve is None else min(forfeit, reserve[late]), reserve


def _counted(month: Month, userid: str, begin: datetime, end: datetime) -> int:
    person = month.people[userid]
    zone = ZoneInfo(person.zone)
    hours, at = 0, begin
    while at < end:
        is_away = False
        if person.vacation:
            first, last = person.vacation
            is_away = first <= at.astimezone(zone).date() <= last
        is_down = month.down_from <= at < month.down_until
        hours += not (is_away or is_down)
        at += HOUR
    return hours
