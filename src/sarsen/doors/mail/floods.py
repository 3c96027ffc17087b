"""Mail beyond what people write is refused for now, before it costs anything.

A mail server that is told 450 keeps the mail and tries again: nothing honest is lost.
"""

from __future__ import annotations

import re
from datetime import datetime

from django.conf import settings

from sarsen.services.allowances import Allowances
from sarsen.services.signing import is_signed

# What all signed addresses of one board, or of one player, have in common.
_ABOUT = re.compile(r"[a-z]+-\d+")
FROM_SENDER = "450 4.7.1 Too much mail from this sender, try again later"
FROM_DOMAIN = "450 4.7.1 Too much mail from this domain, try again later"
TO_BOARD = "450 4.7.1 Too much mail to this address, try again later"


class Floods:
    """Count mail by its sender, the sender's domain, and the board it is for."""

    def __init__(self) -> None:
        self._senders = Allowances(settings.SARSEN_MAILS_FROM_ONE_SENDER)
        self._domains = Allowances(settings.SARSEN_MAILS_FROM_ONE_DOMAIN)
        self._boards = Allowances(settings.SARSEN_MAILS_TO_ONE_BOARD)

    def refusal(self, sender: str, recipient: str, now: datetime) -> str:
        """Return the reply to a recipient of a mail, "" when it may come in.

        Args:
            sender: Of the envelope; empty for a bounce, which is counted by its address only.
        """
        local = recipient.rpartition("@")[0].lower()
        about = _ABOUT.match(local)
        if about and is_signed(local) and not self._boards.take(about[0], now):
            return TO_BOARD
        if not sender:
            return ""
        name, _, domain = sender.lower().rpartition("@")
        # ann+1 and ann+2 are one person.
        if not self._senders.take(f"{name.partition('+')[0]}@{domain}", now):
            return FROM_SENDER
        return "" if self._domains.take(domain, now) else FROM_DOMAIN
