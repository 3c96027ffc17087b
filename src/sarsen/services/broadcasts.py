"""A broadcast after its author's yes: everybody who wants broadcasts is told."""

from __future__ import annotations

from typing import Any

from sarsen.language.replies.messages import BroadcastSent
from sarsen.services import announcements, limits
from sarsen.services.announcements import Audience
from sarsen.services.call import Call
from sarsen.services.notices import Event


def send_broadcast(facts: dict[str, Any], call: Call) -> BroadcastSent:
    """Announce a text to all who want broadcasts, by and by."""
    player = call.player("confirm broadcast USERID PASSWORD")
    limits.check(player, "broadcast", call.now, what="broadcasts")
    told = {"from": player.userid, "text": facts["text"]}
    announcements.announce(
        Audience.ALL, Event.BROADCAST, "broadcast", told, call.now, author=player
    )
    return BroadcastSent(player.userid)
