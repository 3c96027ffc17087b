"""The clocks of correspondence games.

A deadline is computed from what is stored: when the turn began, the terms, and the pauses
(vacations, weekends, downtimes of the server). `Match.due_at` and `look_at` cache it; the
scheduled job finds clocks by `look_at` and computes each again before it acts, so that a
stale value never costs a game.
"""

from sarsen.services.clocks.running import keep_time, lock_boards_of, recalculate_deadlines
from sarsen.services.clocks.turns import ClockSeat, view_clock

__all__ = ["ClockSeat", "keep_time", "lock_boards_of", "recalculate_deadlines", "view_clock"]
