"""Leaving the server: asked once, then every running game is resigned."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from sarsen.language.commands import SignOff
from sarsen.language.replies.account import SignedOff, SignOffAsked
from sarsen.services import background, challenges, letters, questions, resigning
from sarsen.services.account_rows import drop_account_rows
from sarsen.services.call import Actor, Call
from sarsen.services.keeping import forgetting
from sarsen.services.players import hold
from sarsen.storage.models import (
    Challenge,
    ChallengeSeat,
    Match,
    MatchSeat,
    Player,
)

MOST_SHOWN = 30


def sign_off(command: SignOff, call: Call) -> SignOffAsked | SignedOff:
    """Ask whether leaving is meant; a door that has made sure does it at once."""
    player = call.player("signoff USERID PASSWORD")
    if command.confirmed:
        return (leave_without_trace if command.forgets else leave)({}, call)
    # Two questions, each with a yes of its own: a page of before must not answer the graver one.
    kind, other = ("forget", "signoff") if command.forgets else ("signoff", "forget")
    questions.drop(player, other)
    questions.ask(player, kind, {}, call.now)
    boards = tuple(_running_boards(player)[:MOST_SHOWN])
    return SignOffAsked(player.userid, boards, command.forgets)


def leave(facts: dict[str, Any], call: Call) -> SignedOff:
    """Close the speaker's account.

    His finished games stay on record under his userid, which nobody else can take.

    Args:
        facts: What was kept with the question: nothing.
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
    drop_account_rows(player)
    player.set_unusable_password()
    player.is_active = False
    player.left_at = call.now
    player.webhook = ""
    player.has_stream = False
    player.digest_due_at = None
    player.save()
    return SignedOff(player.userid, tuple(boards))


def leave_without_trace(facts: dict[str, Any], call: Call) -> SignedOff:
    """Close the speaker's account and forget him: his games stay under a neutral name."""
    left = leave(facts, call)
    name = forgetting.wipe(call.player("signoff USERID PASSWORD"), call.now)
    background.wake(background.SEND_MAIL)
    return SignedOff(name, left.boards, forgets=True)


@transaction.atomic
def forget(player: Player, now: datetime) -> SignedOff:
    """Forget a player for an operator; he may have left before.

    Raises:
        UserError: The account is no person's, or operates the server.
    """
    hold(player, "userid", "key", "left_at", "is_staff", "level")
    forgetting.check_may_forget(player)
    if player.left_at is None:
        return leave_without_trace({}, Call(Actor(player), now))
    return SignedOff(forgetting.wipe(player, now), (), forgets=True)


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
