"""Words of an operator to everybody: a broadcast without a player's limits, or his question."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.services import announcements
from sarsen.services.announcements import Audience
from sarsen.services.messages import clean_text
from sarsen.services.notices import Event
from sarsen.storage.models import Announcement, Player

SAME_TEXT_LASTS = timedelta(hours=1)  # a form that is sent twice tells nobody twice


@transaction.atomic
def announce(operator: Player, text: str, now: datetime) -> str:
    """Tell all who want broadcasts, by and by; give the text as it goes out.

    Raises:
        UserError: There are no words, or too many.
    """
    told = clean_text(text, "The server moves to another machine on Sunday at noon UTC.")
    mine = Announcement.objects.filter(author=operator, made_at__gt=now - SAME_TEXT_LASTS)
    if any(one.facts.get("text") == told for one in mine):
        raise UserError("You have just told everybody the same.", code="announced-already")
    facts = {"from": operator.userid, "text": told, "is_operator": True}
    announcements.announce(Audience.ALL, Event.BROADCAST, "broadcast", facts, now, author=operator)
    return told
