"""Challenges by a mail from a player's address that proves nothing: From can be forged.

The player gets one letter. A yes to it sends the challenge in the player's name; until then
nobody else hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sarsen.language.commands import MakeChallenge
from sarsen.language.replies import ChallengeAsked
from sarsen.services import letters, strangers
from sarsen.services.call import Call
from sarsen.services.strangers import Unproved
from sarsen.storage.models import Address, Challenge, ChallengeSeat, Player


def owner_of(command: MakeChallenge, call: Call) -> Address | None:
    """Return the player's address that an unproved mail comes from.

    Of several players with this address the one that the challenge names.
    """
    actor = call.actor
    if actor.player is not None or not actor.address:
        return None
    found = Address.objects.select_related("player").filter(
        address__iexact=actor.address, player__is_active=True
    )
    names = {name.lower() for name in command.names}
    return min(found, key=lambda one: (one.player.key not in names, one.pk), default=None)


def ask(
    challenge: Challenge, players: Sequence[Player | None], owner: Address, now: datetime
) -> ChallengeAsked:
    """Keep a challenge for its player's yes, and send the letter that asks for it.

    Nothing is kept or sent when the address had enough of such letters today.
    """
    if strangers.may_answer(owner.address, Unproved.CHALLENGE, now):
        challenge.challenger, challenge.made_at = owner.player, now
        challenge.state = Challenge.State.ASKED
        challenge.save()
        ChallengeSeat.objects.bulk_create(
            ChallengeSeat(challenge=challenge, seat=seat, player=player)
            for seat, player in enumerate(players)
        )
        facts = {"challenge": challenge.pk}
        letters.queue(owner.address, "challenge-asked", facts, now, player=owner.player)
    return ChallengeAsked()


def take_seats(challenge: Challenge) -> list[Player | None]:
    """Return the players of a challenge by seat, and delete its seats."""
    seats = list(challenge.seats.select_related("player"))
    challenge.seats.all().delete()
    return [seat.player for seat in seats]
