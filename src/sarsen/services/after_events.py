"""What follows from an event at a board: the one list of subscribers, in order.

`matches` records an event and calls them, in its transaction; it imports none of them.
`dispatch` and the scheduled jobs pass the list in, in `Request`.
"""

from __future__ import annotations

from sarsen.services import clocks, ratings, reviews
from sarsen.services.bots import due_boards
from sarsen.services.contests.course import absences, running
from sarsen.services.notices import board_letters, streams
from sarsen.services.plans import following
from sarsen.services.request import AfterEvents

AFTER_EVENTS = AfterEvents(
    columns=(clocks.keep_time, due_boards.assign),
    each=(
        absences.leave_unrated,
        streams.record_event,
        ratings.count_result,
        reviews.request_chosen_reviews,
        running.note_board,
    ),
    plans=following.follow_event,
    letters=board_letters.tell_event,
)
