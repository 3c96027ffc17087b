"""Wait for a program's move, for a terminal at which somebody sits."""

from __future__ import annotations

import time

from sarsen.storage.models import Match

LOOK_EVERY = 0.1  # seconds


def has_program_moved(board: int, event: int, seconds: float) -> bool:
    """Wait, so long at most, while a program is to move; tell whether one has moved.

    Args:
        event: How many events the board had before.
    """
    limit = time.monotonic() + seconds
    match = Match.objects.get(pk=board)
    while match.bot_level is not None and time.monotonic() < limit:
        time.sleep(LOOK_EVERY)
        match.refresh_from_db(fields=["bot_level", "event_count"])
    return match.event_count > event
