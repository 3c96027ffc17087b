"""Wait for a program's move: a terminal at which somebody sits, or a letter."""

from __future__ import annotations

import time
from datetime import datetime

from django.conf import settings

from sarsen.services.at_hand import board_at_hand
from sarsen.services.bots.duty import is_bots_turn
from sarsen.services.bots.warming import is_warming_up
from sarsen.services.notices.events import Channel, Event, channel_of
from sarsen.services.notices.hours import quiet_end
from sarsen.storage.models import Match, Player

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


def is_answer_near(board: int, player: Player, now: datetime) -> bool:
    """Return whether a program is about to move at a board, and a player gets its move by mail."""
    at_hand = board_at_hand(board)
    match = at_hand.match if at_hand else Match.objects.filter(pk=board).first()
    if match is None or match.bot_level is None or not is_bots_turn(match):
        return False
    is_slow = is_warming_up(match.game, match.bot_level)
    if is_slow or not settings.SARSEN_BOTS or quiet_end(player, now) is not None:
        return False
    is_mailed = channel_of(player, Event.TURN) is Channel.MAIL
    return is_mailed and match.seats.filter(player=player).exists()
