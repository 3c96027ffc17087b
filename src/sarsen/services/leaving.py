"""Leaving the server: asked once, then every running game is resigned."""

from __future__ import annotations

from typing import Any

from sarsen.language.commands import SignOff
from sarsen.language.replies.account import SignedOff, SignOffAsked
from sarsen.services import challenges, letters, questions, resigning
from sarsen.services.call import Call
from sarsen.storage.models import Address, Challenge, MatchSeat, Player, Question

MOST_SHOWN = 30


def sign_off(command: SignOff, call: Call) -> SignOffAsked | SignedOff:
    """Ask whether leaving is meant; a door that has made sure does it at once."""
    player = call.player("signoff USERID PASSWORD")
    if command.confirmed:
        return leave({}, call)
    questions.ask(player, "signoff", {}, call.now)
    return SignOffAsked(player.userid, tuple(_running_boards(player)[:MOST_SHOWN]))


def leave(facts: dict[str, Any], call: Call) -> SignedOff:
    """Close the speaker's account.

    His finished games stay on record under his userid, which nobody else can take.
    """
    player = call.player("signoff USERID PASSWORD")
    boards = _running_boards(player)
    for board in boards:
        resigning.leave_board(board, player, call)
    _leave_challenges(player, call)
    goodbye = {"userid": player.userid, "boards": len(boards)}
    for address in player.addresses.all():
        letters.queue(address.address, "goodbye", goodbye, call.now)
    Address.objects.filter(player=player).delete()
    Question.objects.filter(player=player).delete()
    for rows in (player.subscriptions, player.digest_items, player.vacations):
        rows.all().delete()
    player.set_unusable_password()
    player.is_active = False
    player.left_at = call.now
    player.webhook = ""
    player.digest_due_at = None
    player.save()
    return SignedOff(player.userid, tuple(boards))


def _running_boards(player: Player) -> list[int]:
    seats = MatchSeat.objects.filter(player=player, match__ended_at=None)
    return list(seats.order_by("match_id").values_list("match_id", flat=True).distinct())


def _leave_challenges(player: Player, call: Call) -> None:
    named = Challenge.objects.filter(state=Challenge.State.OPEN)
    for challenge in named.filter(seats__player=player).distinct():
        challenges.end(challenge, player, Challenge.State.DECLINED, "", call)
    for challenge in named.filter(challenger=player):
        challenges.end(challenge, player, Challenge.State.WITHDRAWN, "", call)
