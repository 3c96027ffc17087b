"""Bar a player from the server, and let him in again.

Who is barred is not active, like one who has left: he speaks at no door, is found by no
name, and is told of nothing. His name and games stay. Of his running boards the operator
decides: they are resigned, or their clocks run on until his time is used up.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.services import background, leaving, letters, matches
from sarsen.services.board_news import tell_players
from sarsen.services.call import Actor, Call
from sarsen.services.operating.access import cut_off
from sarsen.services.players import hold
from sarsen.storage.models import Plan, Player


@dataclass(frozen=True)
class Banned:
    """What became of the boards, by their numbers."""

    resigned: tuple[int, ...]
    running: tuple[int, ...]


@transaction.atomic
def ban(player: Player, reason: str, now: datetime, *, resigns: bool) -> Banned:
    """Bar a player, and tell him and the others at his boards.

    Args:
        resigns: Give all his running boards up; False lets their clocks run on.

    Raises:
        UserError: He is barred or has left already, operates the server, or is a program of it.
    """
    hold(player, "is_active", "is_staff", "banned_at")
    _check_may_ban(player)
    cut_off(player)
    call = Call(Actor(player), now)
    # First, so that a game which starts just now is among those to look after.
    leaving.leave_challenges(player, call)
    boards = leaving.held_boards(player)
    player.is_active = False
    player.banned_at = now
    player.ban_reason = reason
    player.digest_due_at = None
    player.save(update_fields=["is_active", "banned_at", "ban_reason", "digest_due_at"])
    # What he has queued would go on playing for him.
    Plan.objects.filter(player=player, is_active=True).update(is_active=False)
    done = _leave_boards(boards, player, call, resigns=resigns)
    facts = {
        "userid": player.userid,
        "reason": reason,
        "resigned": list(done.resigned),
        "running": list(done.running),
    }
    letters.queue_for(player, "barred", facts, now)
    background.wake(background.SEND_MAIL)
    return done


@transaction.atomic
def unban(player: Player, reason: str, now: datetime) -> None:
    """Let a barred player in again, and tell him.

    Raises:
        UserError: He is not barred.
    """
    hold(player, "is_active", "banned_at", "left_at")
    if player.banned_at is None or player.left_at is not None:
        raise UserError(f"{player.userid} is not barred.", code="not-barred")
    player.is_active = True
    player.banned_at = None
    player.ban_reason = ""
    player.save(update_fields=["is_active", "banned_at", "ban_reason"])
    letters.queue_for(player, "let-in", {"userid": player.userid, "reason": reason}, now)
    background.wake(background.SEND_MAIL)


def _check_may_ban(player: Player) -> None:
    why = ""
    if player.is_staff:
        why = f"{player.userid} operates this server; `sarsen operator remove` comes first."
    elif player.level is not None:
        why = f"{player.userid} is a program of this server; SARSEN_BOTS=off stops them all."
    elif player.banned_at is not None:
        why = f"{player.userid} is barred already."
    elif not player.is_active:
        why = f"{player.userid} has left."
    if why:
        raise UserError(why, code="cannot-ban")


def _leave_boards(boards: list[int], player: Player, call: Call, *, resigns: bool) -> Banned:
    for board in boards:
        match = matches.find(board, viewer=player, lock=True)
        if resigns:
            seat = match.seats.filter(player=player).values_list("seat", flat=True)[0]
            matches.record_resignation(match, seat, call.now)
        tell_players(match, call, but=player, kind="barred-here", who=player.userid)
    return Banned(tuple(boards), ()) if resigns else Banned((), tuple(boards))
