"""Tell mail that a machine sent from mail that a person wrote.

A machine is never answered: two of them would never stop.
"""

from __future__ import annotations

import re
from email.message import Message

from sarsen.doors.mail.parse.headers import MailAddress, message_id, value, values

OUR_HEADER = "X-Sarsen"
LIST = "games"  # before the domain, in the List-Id of our letters (RFC 2919)
MOST_HOPS = 30

_LIST_FIELDS = ("list-id", "list-post", "list-help", "list-unsubscribe")
_REPLIER_FIELDS = ("x-autoreply", "x-autorespond", "x-auto-reply", "x-autoresponse")
_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_SYSTEM_NAMES = frozenset({"mailer-daemon", "postmaster"})
# For machines that mark their notices by nothing else. No command of ours begins so.
_NOTICE = re.compile(
    r"out of (?:the )?office|auto(?:matic)?[ -]?(?:reply|response)\b|autosvar|auto: "
    r"|automati(?:sche antwort|sch antwoord)|abwesenheits|ich bin abwesend"
    r"|réponse automatique|absen(?:t|ce) du bureau|respuesta automática|risposta automatica"
    r"|resposta automática|fuera de (?:la )?oficina|fuori (?:sede|ufficio)|afwezig"
    r"|undeliver(?:ed|able)|delivery status notification|mail delivery (?:failed|subsystem)"
    r"|returned mail|delivery has failed|unzustellbar",
    re.IGNORECASE,
)


def machine_reason(
    message: Message,
    sender: MailAddress,
    subject: str,
    envelope_sender: str | None,
    own_domain: str,
) -> str:
    """Name why a mail must never be answered; empty for a person's mail.

    Args:
        sender: Of From.
        subject: Without prefixes, normalised.
        envelope_sender: From MAIL FROM; `None` when the caller does not know it.
        own_domain: Where our own addresses and Message-IDs live.
    """
    reasons = {
        "own-mail": _is_ours(message, sender, own_domain),
        "null-sender": envelope_sender is not None and not envelope_sender.strip(" <>"),
        "auto-submitted": _is_auto_submitted(message),
        "precedence": any(v.strip().lower() in _BULK for v in values(message, "precedence")),
        "auto-response-suppress": _suppresses_answers(message),
        "list": _has_any(message, _LIST_FIELDS),
        "auto-reply": _has_any(message, _REPLIER_FIELDS),
        "report": message.get_content_type() == "multipart/report"
        or _has_any(message, ("x-failed-recipients",)),
        "system-sender": _is_system_address(sender.address)
        or _is_system_address(envelope_sender or "")
        or _is_system_name(value(message, "from")),
        "notice": bool(_NOTICE.match(subject)),
        "too-many-hops": len(values(message, "received")) > MOST_HOPS,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _is_ours(message: Message, sender: MailAddress, own_domain: str) -> bool:
    if own_domain and any(
        value.lower().rstrip().endswith(f"<{LIST}.{own_domain.lower()}>")
        for value in values(message, "list-id")
    ):
        return True
    if not values(message, OUR_HEADER):
        return False
    domains = {
        sender.address.rpartition("@")[2],
        message_id(message).rstrip(">").rpartition("@")[2].lower(),
    }
    return not own_domain or own_domain.lower() in domains


def _is_auto_submitted(message: Message) -> bool:
    words = [re.split(r"[;(]", v)[0].strip().lower() for v in values(message, "auto-submitted")]
    return any(word not in ("", "no") for word in words)


def _suppresses_answers(message: Message) -> bool:
    words = [v.strip().lower() for v in values(message, "x-auto-response-suppress")]
    return any(word not in ("", "none") for word in words)


def _has_any(message: Message, fields: tuple[str, ...]) -> bool:
    return any(values(message, field) for field in fields)


def _is_system_address(address: str) -> bool:
    return address.partition("@")[0].lower() in _SYSTEM_NAMES


def _is_system_name(field: str) -> bool:
    # `From: MAILER-DAEMON` without a domain is how some mail servers sign.
    return field.strip().strip("<>\"'").lower() in _SYSTEM_NAMES
