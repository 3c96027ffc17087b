"""People who came by an invitation and have not begun to play: they get no letters but its two."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from sarsen.services.notices.channels import Event
from sarsen.storage.models import InvitedAddress, MatchSeat, Player

# News that the server tells of itself, or that the next letter of the board shows anyway. Letters
# about requests of other people, and about their account, are not held back.
_HELD_BACK = frozenset(
    {
        Event.REMINDER,
        Event.CHAT,
        Event.BROADCAST,
        Event.NEW_GAME,
        Event.WEEKLY,
        Event.REVIEW,
        Event.PUZZLE,
    }
)


def without_newcomers(players: Sequence[Player], event: Event, kind: str) -> Sequence[Player]:
    """Return the players who are mailed an event: not those at whose boards nobody has moved yet.

    Args:
        kind: Of the letter; a game that is lost on time without a move needs none.
    """
    if not players or not (event in _HELD_BACK or kind == "forfeit"):
        return players
    keys = [player.pk for player in players]
    begun = MatchSeat.objects.filter(player=OuterRef("player"), match__ply__gt=0)
    invited = InvitedAddress.objects.filter(~Exists(begun), player__in=keys)
    held_back = set(invited.values_list("player", flat=True))
    return [player for player in players if player.pk not in held_back]
