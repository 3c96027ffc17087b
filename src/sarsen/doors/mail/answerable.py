"""Whether an answer goes out at all: to those who have proved nothing, and to machines."""

from __future__ import annotations

import re
from datetime import datetime

from sarsen.services import strangers
from sarsen.services.call import Player
from sarsen.services.strangers import Unproved

# Who reads nothing that is sent there, though no header says so.
_UNREAD = re.compile(
    r"(?:no|do|dont|donot|never)[._-]?(?:not[._-]?)?reply.*|bounces?(?:[._+-].*)?|.*[._+-]bounces?"
    r"|notifications?|alerts?|daemon|cron|root|www-data",
    re.IGNORECASE,
)


def may_answer(sender: str, now: datetime) -> bool:
    """Return whether an address that proved nothing is answered once more today."""
    return strangers.may_answer(sender, _bound(sender, Unproved.ANSWER), now)


def may_refuse(sender: str, why: Unproved, now: datetime) -> bool:
    """Return whether an address that proved nothing is told once more what is wrong."""
    known = strangers.is_known_address(sender)
    return strangers.may_answer(sender, _bound(sender, Unproved.ANSWER if known else why), now)


def may_refuse_player(player: Player, now: datetime) -> bool:
    """Return whether a player is told once more what is wrong.

    A machine that writes in his name, and answers our answers, comes to an end so.
    """
    return strangers.may_refuse(player, now)


def _bound(sender: str, why: Unproved) -> Unproved:
    is_machine = _UNREAD.fullmatch(sender.partition("@")[0]) is not None
    return Unproved.HELP if is_machine else why
