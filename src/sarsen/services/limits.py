"""How often one player may do a thing in a day; a refusal says when again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from django.conf import settings

from sarsen.core.errors import UserError
from sarsen.core.phrases import Fact, Phrase
from sarsen.storage.models import Address, Deed, HelpReplySent, Player

DAY = timedelta(days=1)
# By kind.
MAX_A_DAY = {
    "challenge": 60,
    "withdraw": 60,
    "message": 50,
    "broadcast": 1,
    "chat": 300,
    "note": 300,
    "plan": 500,
    "offer": 60,
    "account": 40,
    "login": 100,  # mails to log in with, from all places together
    "review": 20,
    "bots": 3,  # games between two programs, to watch
}
_NAMES = {
    "challenge": Phrase("challenges"),
    "withdraw": Phrase("withdrawals"),
    "message": Phrase("messages"),
    "broadcast": Phrase("broadcasts"),
    "chat": Phrase("chats"),
    "note": Phrase("notes"),
    "plan": Phrase("changes to plans"),
    "offer": Phrase("draw offers and takeback requests"),
    "account": Phrase("changes to your account"),
    "login": Phrase("login mails"),
    "review": Phrase("reviews"),
    "bots": Phrase("games between programs"),
}


class Flood(UserError):
    """Refuse one action too many.

    Attributes:
        seconds: After so many the next one is possible.
    """

    def __init__(self, text: str, *, code: str, hint: str, seconds: int, **facts: Fact) -> None:
        super().__init__(text, code=code, hint=hint, **facts)
        self.seconds = seconds


def check(player: Player, kind: str, now: datetime, *, kept: float = 0.0) -> None:
    """Refuse an action beyond the day's number, else record it.

    Args:
        kind: A key of `MAX_A_DAY`, such as `challenge`.
        kept: The share of the day's number that is for others than whoever asks now.

    Raises:
        UserError: Says when the next one is possible.
    """
    require_room(player, kind, now, kept=kept)
    Deed.objects.create(player=player, kind=kind, at=now)


def require_room(player: Player, kind: str, now: datetime, *, kept: float = 0.0) -> None:
    """Refuse an action beyond the day's number, and record nothing.

    Raises:
        UserError: Says when the next one is possible.
    """
    most = MAX_A_DAY[kind] - int(MAX_A_DAY[kind] * kept)
    recent = Deed.objects.filter(player=player, kind=kind, at__gt=now - DAY)
    times = list(recent.order_by("-at").values_list("at", flat=True)[:most])
    if len(times) >= most:
        next_at = times[-1] + DAY
        minutes = max(int((next_at - now).total_seconds() // 60) + 1, 1)
        raise Flood(
            "You have reached the limit of {most} {what} per day. Try again in {wait} minutes."
            if minutes < 120
            else "You have reached the limit of {most} {what} per day. Try again in {wait} hours.",
            code=f"{kind}-flood",
            hint="Nothing was lost: just send it again later.",
            seconds=max(int((next_at - now).total_seconds()) + 1, 1),
            what=_NAMES[kind],
            most=most,
            wait=minutes if minutes < 120 else minutes // 60,
        )


MAX_KEPT = 10_000  # names; the one seen longest ago is forgotten first


class RateLimit:
    """So much at once, and from then on so much a second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left = at_once
        self._seen: float | None = None
        self._lock = threading.Lock()

    def take(self, now: datetime, keep: float = 0) -> bool:
        """Use one, if a whole one is left beside what is kept; return whether it was."""
        with self._lock:
            self._refill(now)
            if self._left < 1 + keep:
                return False
            self._left -= 1
            return True

    def has_room(self, now: datetime) -> bool:
        """Return whether anything is left."""
        with self._lock:
            self._refill(now)
            return self._left > 0

    def spend(self, now: datetime, amount: float) -> None:
        """Subtract what was used, even if less was left."""
        with self._lock:
            self._refill(now)
            self._left -= amount

    def _refill(self, now: datetime) -> None:
        at = now.timestamp()
        # A clock that was put back gives nothing, and takes nothing away.
        passed = max(at - self._seen, 0.0) if self._seen is not None else 0.0
        self._seen = at
        self._left = min(self._left + passed * self._a_second, self._at_once)


class Allowances:
    """The same for each of many, by name; 0 allows any amount.

    Args:
        at_once: How much of it there is after a long rest.
        seconds: After so many all of it is there again.
    """

    def __init__(self, at_once: float, seconds: float = 3600) -> None:
        self._at_once = at_once
        self._a_second = at_once / seconds
        self._kept: OrderedDict[str, RateLimit] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, now: datetime) -> bool:
        """Use one for a name, if a whole one is left; return whether it was."""
        return not self._at_once or self._limit_of(name).take(now)

    def has_room(self, name: str, now: datetime) -> bool:
        """Return whether anything is left for a name."""
        return not self._at_once or self._limit_of(name).has_room(now)

    def spend(self, name: str, now: datetime, amount: float) -> None:
        """Subtract what a name has used, even if less was left."""
        if self._at_once:
            self._limit_of(name).spend(now, amount)

    def _limit_of(self, name: str) -> RateLimit:
        with self._lock:
            allowance = self._kept.pop(name, None) or RateLimit(self._at_once, self._a_second)
            self._kept[name] = allowance
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
            return allowance


MAX_TO_A_DOMAIN = 300  # refusals a day, whatever stands before the @
MAX_SIGNUPS_OF_A_DOMAIN = 50  # letters a day that sign-ups by mail cause, and in all:
MAX_SIGNUPS = 500
MAX_REFUSALS = 100  # a day, to a player who has proved to be one


class Unproved(Enum):
    """Why we write to an address that proved nothing, and how often a day at most."""

    HELP = 1  # the mail held no command
    REFUSAL = 20
    ANSWER = 50
    CHALLENGE = 10  # the mail asked for a challenge in the name of the address's player


def may_answer(address: str, why: Unproved, now: datetime) -> bool:
    """Return whether one more letter may go to an unproved address today, and count it."""
    bounds = [(f"{_mailbox(address)}:{why.name.lower()}", why.value)]
    if why is not Unproved.ANSWER:
        domain = address.lower().rpartition("@")[2]
        bounds.append((f"{_digest(domain)}:domain", MAX_TO_A_DOMAIN))
    return _take(bounds, now)


def last_answer(address: str, why: Unproved, now: datetime) -> str:
    """Return what stands in the day's last letter to an unproved address; "" for others.

    In that letter and not in one more: it may go to somebody who has written nothing.
    """
    mailbox = _mailbox(address)
    if why is Unproved.HELP or _free(f"{mailbox}:{why.name.lower()}", why.value, now):
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


def may_sign_up(address: str, now: datetime) -> bool:
    """Return whether a sign-up by mail may cause one more letter today, and count it."""
    domain = _digest(address.lower().rpartition("@")[2])
    bounds = [(f"{domain}:signup", MAX_SIGNUPS_OF_A_DOMAIN), ("signup", MAX_SIGNUPS)]
    return _take(bounds, now)


def is_known_address(address: str) -> bool:
    """Return whether a player has confirmed this address."""
    return Address.objects.filter(address__iexact=address).exists()


def _take(bounds: Sequence[tuple[str, int]], now: datetime) -> bool:
    """Count one of each kind, unless one kind is used up; return whether it was counted."""
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
