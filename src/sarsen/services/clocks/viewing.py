"""Say how the clock of a board stands, for a door to word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sarsen.language.clocks import Away, ClockView
from sarsen.language.zones import zone_called
from sarsen.services.clocks.arithmetic import Pauses
from sarsen.services.clocks.pausing import Pause, of_player, pauses_at
from sarsen.services.clocks.turns import Turn, deadline
from sarsen.services.terms import playing_time
from sarsen.storage.models import Match


@dataclass(frozen=True)
class Sitter:
    """Who sits at a seat, as the clocks need it; the reserve in seconds."""

    player_id: int
    userid: str
    zone: str
    reserve: float | None
    is_bot: bool = False


def view_clock(
    match: Match, sitters: Sequence[Sitter], pauses: tuple[Pause, ...] | None = None
) -> ClockView | None:
    """Return the clock of the seat to move; None when none runs.

    Args:
        pauses: What ends after the turn began; None to look it up.
    """
    if match.turn_began_at is None or match.ended_at is not None:
        return None
    time = playing_time(match.terms)
    mover = sitters[match.seat_to_move]
    reserves = tuple(
        None if one.reserve is None else timedelta(seconds=one.reserve) for one in sitters
    )
    if pauses is None:
        pauses = pauses_at(match, match.turn_began_at)
    turn = Turn(
        match.turn_began_at,
        time,
        reserves[match.seat_to_move],
        Pauses(
            of_player(pauses, mover.player_id),
            zone_called(mover.zone) if time.weekends_are_off else None,
        ),
        warned_at=match.warned_at,
    )
    userids = {one.player_id: one.userid for one in sitters}
    return ClockView(
        userid=mover.userid,
        zone=mover.zone,
        due_at=deadline(turn),
        reserve_after=None if turn.reserve is None else turn.reserve - turn.budget,
        reserves=reserves,
        away=tuple(
            Away(userids[one.player_id], one.begin, one.end, one.last_day)
            for one in pauses
            if one.player_id is not None and one.last_day is not None
        ),
        weekends_are_off=time.weekends_are_off,
    )
