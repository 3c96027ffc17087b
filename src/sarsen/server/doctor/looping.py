"""Send a mail to ourselves, the way letters go, and wait until it has come in."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import make_msgid

from django.conf import settings

from sarsen.doors.mail.recipients import mailbox
from sarsen.doors.mail.relaying import reason_of
from sarsen.server.doctor.finding import Finding, bad, good
from sarsen.services import intake
from sarsen.services.intake import Delivery

LOOK_EVERY = 0.2  # seconds
# Taken and stored like any mail, and never answered.
TO = "postmaster"


def look_at_loop(hand_over: Callable[[str, bytes], None], patience: float) -> Finding:
    """Send one mail and tell whether the listener has stored it.

    Args:
        hand_over: Gives a message for an address to the relay.
        patience: Seconds in which it must come back.
    """
    address = f"{TO}@{settings.SARSEN_DOMAIN}"
    raw = _message(address)
    began = time.monotonic()
    try:
        hand_over(address, raw)
    except OSError as refused:  # smtplib's own errors are such
        return bad(
            "loop-out",
            f"The relay did not take a mail to {address}: {reason_of(refused)}",
            "Is SARSEN_SMTP_URL right, and does the relay take mail from here?",
        )
    sent = time.monotonic()
    while not intake.is_stored(Delivery("", address, raw, mailbox(address))):
        if time.monotonic() - sent > patience:
            return _lost(address, patience)
        time.sleep(LOOK_EVERY)
    return good("loop", f"A mail to ourselves came in after {time.monotonic() - began:.1f} s.")


def _lost(address: str, patience: float) -> Finding:
    return bad(
        "loop-in",
        f"A mail to {address} was sent and did not come in within {patience:.0f} seconds.",
        "Does the mail server hand mail for the domain to --lmtp? See docs/operating.md.",
    )


def _message(address: str) -> bytes:
    message = EmailMessage()
    message["From"] = message["To"] = address
    message["Subject"] = "sarsen doctor: a mail to ourselves"
    message["Message-ID"] = make_msgid("doctor", settings.SARSEN_DOMAIN)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("Nobody needs to read this.\n")
    return message.as_bytes()
