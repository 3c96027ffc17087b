"""Leaving the server: asked once, then every running game is resigned."""

from __future__ import annotations

from typing import Any

from sarsen.language.commands import SignOff
from sarsen.language.replies.account import SignedOff, SignOffAsked
from sarsen.services import challenges, letters, questions, resigning
from sarsen.services.call import Call
from sarsen.storage.models import (
    Address,
    Challenge,
    ChallengeSeat,
    Match,
    MatchSeat,
    Player,
    Question,
    Signup,
)

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
    # First, so that a game which starts just now is among those to resign.
    leave_challenges(player, call)
    boards = held_boards(player)
    for board in boards:
        resigning.leave_board(board, player, call)
    goodbye = {"userid": player.userid, "boards": len(boards)}
    for address in player.addresses.all():
        letters.queue(address.address, "goodbye", goodbye, call.now)
    Address.objects.filter(player=player).delete()
    Question.objects.filter(player=player).delete()
    kept = (
        player.subscriptions,
        player.watchers,
        player.digest_items,
        player.vacations,
        player.tokens,
        player.passkeys,
        player.stream,
        player.devices,
    )
    for rows in kept:
        rows.all().delete()
    # An address that answers later would belong to an account that is closed.
    Signup.objects.filter(player=player).delete()
    player.set_unusable_password()
    player.is_active = False
    player.left_at = call.now
    player.webhook = ""
    player.has_stream = False
    player.digest_due_at = None
    player.save()
    return SignedOff(player.userid, tuple(boards))


def _running_boards(player: Player) -> list[int]:
    seats = MatchSeat.objects.filter(player=player, match__ended_at=None)
    return list(seats.order_by("match_id").values_list("match_id", flat=True).distinct())


def held_boards(player: Player) -> list[int]:
    """Hold all running boards at once, in the order of ids.

    One after the other would hold the results of the first ones while it waits for a
    board whose end waits for those results.
    """
    running = Match.objects.filter(pk__in=_running_boards(player), ended_at=None)
    held = running.select_for_update(no_key=True).order_by("pk")
    return list(held.values_list("pk", flat=True))


def leave_challenges(player: Player, call: Call) -> None:
    """End every open challenge a player made or was named in."""
    seats = ChallengeSeat.objects.filter(player=player, challenge__state=Challenge.State.OPEN)
    # Held and looked at once they are: the last one named may be accepting just now.
    held = Challenge.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    still_open = held.filter(state=Challenge.State.OPEN)
    for challenge in still_open.filter(pk__in=list(seats.values_list("challenge", flat=True))):
        challenges.end(challenge, player, Challenge.State.DECLINED, "", call)
    for challenge in still_open.filter(challenger=player):
        challenges.end(challenge, player, Challenge.State.WITHDRAWN, "", call)
