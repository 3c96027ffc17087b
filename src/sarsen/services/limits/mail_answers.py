"""How many letters a day answer mail that proves no sender, and how many refuse something."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from sarsen.core.phrases import Phrase
from sarsen.services.limits.daily import DAY
from sarsen.storage.models import Address, HelpReplySent, Player
from sarsen.storage.transactions import await_turn

# Refusals a day, whatever stands before the @: nobody has us write to all mailboxes of a domain.
MAX_TO_A_DOMAIN = 300
# Letters a day that sign-ups by mail cause, and in all: senders are forged easily.
MAX_SIGNUPS_OF_A_DOMAIN = 50
MAX_SIGNUPS = 500
# Invitations a day to one domain, and in all: nobody wrote to us first.
MAX_INVITATIONS_OF_A_DOMAIN = 20
MAX_INVITATIONS = 100
MAX_REFUSALS = 100  # a day, to a proved player: this ends loops between two machines


class AnswerKind(Enum):
    """Why we write to an address that proved nothing, and how often a day at most."""

    HELP = 1  # the mail held no command
    REFUSAL = 20
    ANSWER = 50
    CHALLENGE = 10  # the mail asked for a challenge in the name of the address's player


def may_answer(address: str, why: AnswerKind, now: datetime) -> bool:
    """Return whether one more letter may go to an unproved address today, and count it."""
    bounds = [(f"{_mailbox(address)}:{why.name.lower()}", why.value)]
    if why is not AnswerKind.ANSWER:
        domain = address.lower().rpartition("@")[2]
        bounds.append((f"{_digest(domain)}:domain", MAX_TO_A_DOMAIN))
    return _take(bounds, now)


def last_answer(address: str, why: AnswerKind, now: datetime) -> str:
    """Return what stands in the day's last letter to an unproved address; "" for others.

    In that letter and not in one more: it may go to somebody who has written nothing.
    """
    mailbox = _mailbox(address)
    if why is AnswerKind.HELP or _free(f"{mailbox}:{why.name.lower()}", why.value, now):
        return ""
    if not _take([(f"{mailbox}:last", 1)], now):
        return ""
    return Phrase(
        "This is the last answer that we mail to this address until tomorrow: {most} mails from "
        "it were answered within a day, and nothing proves who wrote them. Mails that prove their "
        "sender are still answered: reply to a mail of ours, or go on at {url} now.",
        most=why.value,
        url=settings.SARSEN_URL,
    )


def _mailbox(address: str) -> str:
    local, _, domain = address.lower().rpartition("@")
    return _digest(f"{local.partition('+')[0]}@{domain}")  # ann+1 and ann+2 are one person


def may_refuse(player: Player, now: datetime) -> bool:
    """Return whether a player is told once more today that something is refused, and count it."""
    return _take([(f"player:{player.pk}", MAX_REFUSALS)], now)


def last_refusal(player: Player, now: datetime) -> str:
    """Return what a player is told when the day's refusals are used up; "" if told already."""
    if not _take([(f"player:{player.pk}:last", 1)], now):
        return ""
    return Phrase(
        "{most} of your mails were refused within a day, so this is the last refusal that we mail "
        "you until tomorrow. Commands that work are still done and answered: send the word help "
        "to see them all, or go on at {url} now.",
        most=MAX_REFUSALS,
        url=settings.SARSEN_URL,
    )


def may_tell(player: Player, code: str, now: datetime) -> bool:
    """Return whether a refusal that is said once a day is said to a player now, and count it."""
    return _take([(f"player:{player.pk}:{code}", 1)], now)


def may_sign_up(address: str, now: datetime) -> bool:
    """Return whether a sign-up by mail may cause one more letter today, and count it."""
    domain = _digest(address.lower().rpartition("@")[2])
    bounds = [(f"{domain}:signup", MAX_SIGNUPS_OF_A_DOMAIN), ("signup", MAX_SIGNUPS)]
    return _take(bounds, now)


def may_invite(address: str, now: datetime) -> bool:
    """Return whether one more invitation may go to an address's domain today, and count it."""
    domain = _digest(address.lower().rpartition("@")[2])
    bounds = [(f"{domain}:invite", MAX_INVITATIONS_OF_A_DOMAIN), ("invite", MAX_INVITATIONS)]
    return _take(bounds, now)


def is_known_address(address: str) -> bool:
    """Return whether a player has confirmed this address."""
    return Address.objects.filter(address__iexact=address).exists()


def _take(bounds: Sequence[tuple[str, int]], now: datetime) -> bool:
    """Count one of each kind, unless one kind is used up; return whether it was counted."""
    with transaction.atomic(savepoint=False):
        # In one order, so that two mails do not wait for each other.
        await_turn(*sorted(f"limit {name}" for name, _ in bounds))
        free = [_free(name, most, now) for name, most in bounds]
        if not all(free):
            return False
        for key in free:
            HelpReplySent.objects.update_or_create(address=key, defaults={"at": now})
        return True


def _free(name: str, most: int, now: datetime) -> str:
    """Return the first place of a name that nobody took today; "" when there is none."""
    keys = [f"{name}:{number}" for number in range(most)]
    taken = HelpReplySent.objects.filter(address__in=keys, at__gt=now - DAY)
    taken_keys = set(taken.values_list("address", flat=True))
    return next((key for key in keys if key not in taken_keys), "")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:40]
