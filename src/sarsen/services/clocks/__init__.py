"""The clocks of correspondence games.

A deadline is worked out from what is stored: when the turn began, the terms, and the
pauses (vacations, weekends, times when the server was away). `Match.due_at` and
`look_at` keep what that gave; they are written anew when a turn begins, when a
vacation changes, and after a downtime, batch by batch. The sweep finds every clock by
its `look_at` and works it out again before it does anything, so that a value which is
not yet written anew is never unjust.

Open `arithmetic` first, then `turns`: both are pure. `running` is what the events of a
match call, `pausing` loads the pauses, `viewing` says how a clock stands; `sweeping`
sends reminders and ends games.
"""

from sarsen.services.clocks.running import hold_boards_of, keep_time, work_out_again
from sarsen.services.clocks.turns import ClockSeat, view_clock

__all__ = ["ClockSeat", "hold_boards_of", "keep_time", "view_clock", "work_out_again"]
