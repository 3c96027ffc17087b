"""The forecast of a contest: when its last board ends if all go on at their usual pace (E13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Phase
from sarsen.storage.models import MatchEvent, MatchSeat

LOOKED_BACK = timedelta(days=90)  # for the pace of a player
USUAL_PACE = timedelta(days=2)  # a move, of players who have not moved since
MADE_EACH = timedelta(days=1)
MAX_MOVES = 50_000  # the newest ones that one forecast reads


@dataclass(frozen=True)
class RunningBoard:
    """A board as far as it has come.

    Attributes:
        numbers: The entrants by seat.
        plies: Moves played.
        seat: Whose turn it is; it began at `since`.
    """

    numbers: tuple[int, int]
    plies: int
    seat: int
    since: datetime


@dataclass(frozen=True)
class Figures:
    """What a forecast is made of.

    Attributes:
        to_come: The pairs whose boards have not started, those that start first at the front.
        paces: Time a move of each entrant, by number; others have `USUAL_PACE`.
        length: Plies of a usual game.
        boards: Of one entrant at the same time.
    """

    running: Sequence[RunningBoard]
    to_come: Sequence[tuple[int, int]]
    paces: Mapping[int, timedelta]
    length: float
    boards: int
    ends_at: datetime


def forecast(figures: Figures, now: datetime) -> datetime:
    """Return when the last board ends, if each move takes its player's usual time.

    A board has as many plies as a usual game, and one more turn each at the least. Boards that
    have not started begin when both players have a place free. It is never later than the end
    date, nor earlier than now.
    """
    ends: dict[int, list[datetime]] = defaultdict(list)
    for board in figures.running:
        end = max(now, board.since + _time_left(board, figures))
        for number in board.numbers:
            ends[number].append(end)
    for pair in figures.to_come:
        free = [_place_free(ends[number], figures.boards, now) for number in pair]
        # Each of the two makes half of the moves.
        time = sum((_pace(number, figures) for number in pair), timedelta())
        for number in pair:
            ends[number].append(max(free) + time * figures.length / 2)
    last = max((end for all_of_one in ends.values() for end in all_of_one), default=now)
    return min(last, figures.ends_at)


def _time_left(board: RunningBoard, figures: Figures) -> timedelta:
    plies = max(figures.length, board.plies + 2) - board.plies
    mover, other = (_pace(board.numbers[seat], figures) for seat in (board.seat, 1 - board.seat))
    turns = (plies + 1) // 2
    return mover * turns + other * (plies - turns)


def _place_free(ends: Sequence[datetime], boards: int, now: datetime) -> datetime:
    """Return when an entrant whose boards end then has a place for one more."""
    return sorted(ends)[-boards] if len(ends) >= boards else now


def _pace(number: int, figures: Figures) -> timedelta:
    return figures.paces.get(number, USUAL_PACE)


def refresh(held: Held, now: datetime) -> None:
    """Make the forecast of a running contest anew if it is a day old; the caller saves it."""
    contest, state = held.contest, held.state
    if state.phase is not Phase.RUNNING or held.format.is_endless:
        contest.forecast_at = contest.forecast_made_at = None
        return
    due = next_at(held)
    if due is None or due <= now:
        contest.forecast_at, contest.forecast_made_at = forecast(figures_of(held, now), now), now


def next_at(held: Held) -> datetime | None:
    """Return when the forecast is to be made anew; None for at once."""
    made_at = held.contest.forecast_made_at
    return None if made_at is None else made_at + MADE_EACH


def figures_of(held: Held, now: datetime) -> Figures:
    """Gather the figures of a running contest, in two queries."""
    state = held.state
    assert state.ends_at is not None  # it runs
    running = []
    for game in state.boards:
        if game.is_running and game.board:
            result = held.results.get(game.board)
            plies = result.plies if result else 0
            since = result.turn_began_at if result else None
            running.append(RunningBoard(game.numbers, plies, plies % 2, since or now))
    to_come = [pairing.numbers for pairing in held.format.to_come(state)]
    pairs = [*(board.numbers for board in running), *to_come]
    players = {state.by_number[number].player: number for pair in pairs for number in pair}
    paces = paces_of(players, now)
    return Figures(
        running,
        to_come,
        {players[player]: pace for player, pace in paces.items()},
        held.contest.law.get("plies", 40),
        state.law.boards,
        state.ends_at,
    )


def paces_of(players: Collection[int], now: datetime) -> dict[int, timedelta]:
    """Return the median time a move of each player in the last 90 days; of others nothing."""
    since = now - LOOKED_BACK
    seats = MatchSeat.objects.filter(player__in=players, match__moved_at__gt=since)
    owners = {
        (match, seat): player
        for match, seat, player in seats.values_list("match", "seat", "player")
    }
    events = MatchEvent.objects.filter(
        match__in=seats.values("match"), kind=MatchEvent.Kind.MOVE, at__gt=since, at__lte=now
    ).order_by("-at", "-number")
    times: dict[int, list[float]] = defaultdict(list)  # in seconds
    later: dict[int, tuple[int, datetime]] = {}  # of each board, the move that came after
    for match, seat, at in events.values_list("match", "seat", "at")[:MAX_MOVES]:
        if match in later:
            next_seat, next_at = later[match]
            player = owners.get((match, next_seat))
            if player is not None:
                times[player].append((next_at - at).total_seconds())
        later[match] = seat, at
    return {player: timedelta(seconds=median(taken)) for player, taken in times.items()}
