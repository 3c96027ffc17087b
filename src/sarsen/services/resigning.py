"""Giving a board up, after a question whether that is meant."""

from __future__ import annotations

from datetime import datetime, timedelta

from sarsen.language.commands import Resign
from sarsen.language.replies import ResignAsked, Resigned
from sarsen.services import matches
from sarsen.services.board_news import tell_players
from sarsen.services.bots import manners
from sarsen.services.call import Call
from sarsen.services.seated import Seated, sit_down
from sarsen.storage.models import MatchSeat, Player

ASKED_LASTS = timedelta(days=14)


def resign(command: Resign, call: Call) -> ResignAsked | Resigned:
    """Return a board up, or ask whether that is meant.

    The same again is no yes: people and mail programs send twice. In answer to the question it is.
    """
    seated = sit_down(command.board, command.game, call, "resign")
    row = seated.row
    is_answer = command.matter == "resign" and was_asked(row, call.now)
    if command.confirmed or is_answer:
        return give_up(seated, row.seat, call)
    row.resign_asked_at = call.now
    row.submitted, row.submitted_ply = "", None  # the newer wish counts
    row.save(update_fields=["resign_asked_at", "submitted", "submitted_ply"])
    return ResignAsked(seated.match.pk)


def leave_board(board: int, player: Player, call: Call) -> None:
    """Resign a running board for a player who leaves the server."""
    match = matches.find(board, viewer=player, lock=True)
    seats = tuple(match.seats.filter(player=player).values_list("seat", flat=True))
    give_up(Seated(match, player, seats, seats), seats[0], call)


def give_up(seated: Seated, seat: int, call: Call) -> Resigned:
    """Resign for a seat, and tell the others."""
    match = seated.match
    if seated.player.level is not None:
        manners.say_last_words(match, seated.player, call.now)
    matches.record_resignation(match, seat, call.now)
    tell_players(match, call, but=seated.player)
    return Resigned(match.pk, match.ply, match.event_count)


def was_asked(row: MatchSeat, now: datetime) -> bool:
    """Return whether a question to this seat still waits."""
    asked = row.resign_asked_at
    return asked is not None and asked + ASKED_LASTS > now
