"""Reply addresses are revoked: other holders speak for nobody with them any more."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from sarsen.language.account_replies import Revoked
from sarsen.language.commands import Revoke
from sarsen.services import limits
from sarsen.services.mail import outgoing
from sarsen.services.matches.participants import sit_down
from sarsen.services.notices import Event, notify
from sarsen.services.request import Request
from sarsen.storage.models import Match, MatchSeat, Player
from sarsen.storage.models.players import new_key


def revoke(command: Revoke, request: Request) -> Revoked:
    """Void the addresses in all letters of a board so far, or in all letters; send new ones."""
    player = request.player("revoke 123 USERID PASSWORD")
    if command.board is None:
        limits.check(player, "account", request.now, what="changes of your account")
        change_keys(player)
        facts = {"what": "revoked"}
        notify(player, Event.ACCOUNT, "account-changed", facts, request.now)
        write_anew(player, request.now)
        return Revoked(None)
    seated = sit_down(command.board, "", request, "revoke", running=False)
    limits.check(player, "account", request.now, what="changes of your account")
    match = seated.match
    _change_seats(match.seats.filter(player=player))
    outgoing.queue_for(player, "board", _facts(match), request.now, match=match)
    return Revoked(match.pk)


def change_keys(player: Player) -> None:
    """Change the keys of a player and of their seats."""
    player.letter_key = new_key()
    player.save(update_fields=["letter_key"])
    _change_seats(MatchSeat.objects.filter(player=player))


def write_anew(player: Player, now: datetime) -> None:
    """Send the boards that wait for a player again: older letters answer to nobody now."""
    for match in Match.objects.filter(ended_at=None, seats__player=player).distinct():
        if match.seats.filter(player=player, seat=match.seat_to_move).exists():
            notify(player, Event.TURN, "board", _facts(match), now, match=match)


def _change_seats(seats: QuerySet[MatchSeat]) -> None:
    changed = list(seats)
    for seat in changed:
        seat.letter_key = new_key()
    MatchSeat.objects.bulk_update(changed, ["letter_key"], batch_size=500)


def _facts(match: Match) -> dict[str, object]:
    return {"board": match.pk, "ply": match.ply, "is_over": match.ended_at is not None}
