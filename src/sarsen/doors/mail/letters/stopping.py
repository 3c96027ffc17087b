"""The one-click address (RFC 8058) in every letter that somebody can do without."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings

from sarsen.doors.mail.composing import Letter
from sarsen.language.translating import _
from sarsen.services import signing
from sarsen.services.notices import Event
from sarsen.services.outbox import DueLetter


def unsubscribe_address(due: DueLetter) -> str:
    """Return the address that stops letters like this one; "" for those that always come."""
    if due.player is None or not due.event or due.event == Event.ACCOUNT:
        return ""
    token = signing.unsubscribe_token(due.player, due.event)
    return f"{settings.SARSEN_URL}/unsubscribe/{token}/"


def with_way_to_stop(letter: Letter, due: DueLetter) -> Letter:
    """Add the address to a notice that has none yet; an answer needs none."""
    address = unsubscribe_address(due)
    if letter.is_answer or letter.unsubscribe or not address:
        return letter
    text = f"{letter.text.rstrip()}\n\n{_('To stop these mails:')} {address}"
    return replace(letter, text=text, unsubscribe=address)
