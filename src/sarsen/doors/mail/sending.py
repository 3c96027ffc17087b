"""Send due letters through the relay, or catch them when there is none."""

from __future__ import annotations

import smtplib
import time
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail.backends.smtp import EmailBackend
from environ import Env

from sarsen.doors.mail.composing import compose
from sarsen.doors.mail.letters import write_letter
from sarsen.doors.mail.recipients import bounce_address, is_sender
from sarsen.services import outbox
from sarsen.services.outbox import DueLetter
from sarsen.services.viewing import remembered_views

RELAY_PAUSE = timedelta(seconds=30)
TIMEOUT = 30  # seconds for each answer of the relay
# Who dies after sending sends what was not marked again. On a quick relay one write for
# all costs least; on a slow one each letter is marked.
MARKED_EVERY = 1.0  # seconds
log = structlog.get_logger()


def send_due(now: datetime, most: int) -> int:
    """Send letters that are due; give how many were dealt with."""
    due = outbox.claim_due(now, most)
    with outbox.kept_claim(due, now):
        with remembered_views():
            written = [one for letter in due if (one := _write(letter, now))]
        if settings.SARSEN_SMTP_URL:
            return len(due) if _relay([(letter, raw) for letter, _, raw in written], now) else 0
        if written:
            outbox.catch(written, now)
    return len(due)


def _write(letter: DueLetter, now: datetime) -> tuple[DueLetter, str, bytes] | None:
    """Word a letter; give it with its subject and the message."""
    try:
        worded = write_letter(letter)
        raw = compose(
            worded,
            kind=letter.kind,
            number=letter.id,
            address=letter.address,
            in_reply_to=letter.in_reply_to,
            queued_at=letter.queued_at,
        )
        return letter, worded.subject, raw
    except Exception:
        # A letter that cannot be worded is a defect; it must not hold up the others.
        log.exception("a letter could not be worded", letter=letter.id, kind=letter.kind)
        outbox.mark_refused(letter, "could not be worded", now, for_good=False)
        return None


def _relay(written: list[tuple[DueLetter, bytes]], now: datetime) -> bool:
    """Send over one connection; False when the relay is out of reach."""
    backend = _backend()
    sent: list[int] = []
    marked_at = time.monotonic()
    try:
        backend.open()
        for number, (letter, raw) in enumerate(written):
            try:
                _hand_over(backend, letter, raw, now, sent)
            except (OSError, smtplib.SMTPServerDisconnected) as lost:
                _put_back([letter for letter, _ in written[number:]], lost, now)
                return False
            if time.monotonic() - marked_at > MARKED_EVERY:
                outbox.mark_sent(sent, now)
                sent.clear()
                marked_at = time.monotonic()
    except (OSError, smtplib.SMTPException) as away:
        _put_back([letter for letter, _ in written], away, now)
        return False
    finally:
        outbox.mark_sent(sent, now)
        backend.close()
    return True


def _hand_over(
    backend: EmailBackend, letter: DueLetter, raw: bytes, now: datetime, sent: list[int]
) -> None:
    assert backend.connection is not None  # opened by the caller
    if not is_sender(letter.address):  # SMTP could not carry it
        outbox.mark_refused(letter, "no such address can be", now, for_good=True)
        return
    try:
        backend.connection.sendmail(bounce_address(), [letter.address], raw)
        sent.append(letter.id)
    except (smtplib.SMTPServerDisconnected, smtplib.SMTPSenderRefused):
        raise  # nothing wrong with this letter
    except smtplib.SMTPRecipientsRefused as refused:
        code, text = next(iter(refused.recipients.values()))
        _refused(letter, code, text, now)
    except smtplib.SMTPResponseException as refused:
        _refused(letter, refused.smtp_code, refused.smtp_error, now)


def _refused(letter: DueLetter, code: int, text: bytes | str, now: datetime) -> None:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    log.warning("the relay refused a letter", letter=letter.id, code=code)
    outbox.mark_refused(letter, f"{code} {words}", now, for_good=code >= 500)


def _put_back(letters: list[DueLetter], reason: Exception, now: datetime) -> None:
    log.warning("the relay is out of reach", reason=type(reason).__name__, waiting=len(letters))
    outbox.put_back(letters, now + RELAY_PAUSE)


def _backend() -> EmailBackend:
    parts = Env.email_url_config(settings.SARSEN_SMTP_URL)
    return EmailBackend(
        host=parts["EMAIL_HOST"],
        port=parts["EMAIL_PORT"] or 25,
        username=parts.get("EMAIL_HOST_USER") or "",
        password=parts.get("EMAIL_HOST_PASSWORD") or "",
        use_tls=parts.get("EMAIL_USE_TLS", False),
        use_ssl=parts.get("EMAIL_USE_SSL", False),
        timeout=TIMEOUT,
    )
