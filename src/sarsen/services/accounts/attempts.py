"""How often one client may try to get in, in a day.

A client is known by its address: of IPv6 the half that one line has to itself; or the
address that a mail claims to come from. Networks around it are counted, too: who has many
addresses has them there. Only digests are kept, and not for long.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.db.models import Count

from sarsen.core.errors import UserError
from sarsen.storage.models import Attempt

DAY = timedelta(days=1)
# By kind.
# Of one address, which may be a school or a company with many players.
MAX_A_DAY = {
    "signup": 20,
    "login": 200,  # wrong passwords, also those in typed lines
    "guest": 30,
    "letter": 10,  # mails to log in with, for one player
    "invite": 10,  # letters to people who have no account
    "visit": 1000,  # lines of visitors that are kept
    "password": 20,  # wrong ones in mails that claim to come from one address
}
# The networks around an address, by the length of their prefix, and how many times as much may
# come from all of each: customers get a /56 or a /48 of IPv6, and servers are rented by the /24.
WIDER = {4: ((24, 4),), 6: ((56, 2), (48, 4))}
_KNOWN = "known"  # an address from which a player has logged in
# As long as a browser's session lasts (`docs/what-is-kept.md`).
KNOWN_FOR = timedelta(days=60)


def client_address_of(request: Mapping[str, Any]) -> str:
    """Return the address that a request comes from.

    A proxy of the operator's adds the address it speaks for as the last word of a header;
    the words before it, and the whole header of anybody else, may say anything.

    Args:
        request: Its variables, by the names of WSGI.
    """
    address = str(request.get("REMOTE_ADDR", ""))
    if is_proxy(address):
        forwarded = str(request.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        if forwarded:
            return read_forwarded(forwarded)
    return address


# An address as proxies write it: alone, with a port, in brackets, or as RFC 7239 has it, with
# `for=`, quotes, and other parameters behind it.
_FORWARDED = re.compile(
    r"""(?:\s*for\s*=\s*)?"?\s*
        (?:\[(?P<bracketed>[^\]]*)\](?::\w*)?|(?P<v4>[0-9.]+)(?::\w*)?|(?P<bare>[^"\[\];]*))
        \s*"?\s*(?:;.*)?""",
    re.VERBOSE | re.IGNORECASE,
)


def read_forwarded(entry: str) -> str:
    """Return the address in an entry of `X-Forwarded-For`, without its port; "" for none."""
    parts = _FORWARDED.fullmatch(entry)
    text = next(filter(None, parts.groups()), "") if parts else ""
    try:
        return str(ip_address(text.strip().partition("%")[0]))
    except ValueError:
        return ""  # `unknown`, a name, or nonsense: all of these count as one client


def is_proxy(client_address: str) -> bool:
    """Return whether an address is that of a proxy of the operator's."""
    try:
        address = ip_address(client_address)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in settings.SARSEN_PROXIES)


def count(kind: str, client_address: str, now: datetime, about: str = "") -> None:
    """Record an attempt of a client, or refuse it.

    It is recorded whatever comes of it, so that it takes as long no matter who is meant.

    Args:
        kind: A key of `MAX_A_DAY`, such as `signup`.
        client_address: As the connection says it; anything else counts as one client.
        about: What is counted apart for each client, such as a player; "" for nothing.

    Raises:
        UserError: There were too many today.
    """
    look(kind, client_address, now, about)
    Attempt.objects.bulk_create(
        Attempt(kind=level, source=source, at=now)
        for level, source, _ in _counted(kind, client_address, about)
    )


def look(kind: str, client_address: str, now: datetime, about: str = "") -> None:
    """Refuse whatever comes from a client that tried too often, and record nothing.

    Raises:
        UserError: There were too many today.
    """
    levels = _counted(kind, client_address, about)
    recent = Attempt.objects.filter(
        kind__in=[level for level, _, _ in levels],
        source__in=[source for _, source, _ in levels],
        at__gt=now - DAY,
    )
    counts = dict(recent.order_by().values_list("kind").annotate(Count("pk")))
    if any(counts.get(level, 0) >= most for level, _, most in levels):
        raise UserError(
            "There were too many attempts from your network today.",
            code="too-many-attempts",
            hint="Try again tomorrow, or reply to any mail from this server.",
        )


def _counted(kind: str, client_address: str, about: str) -> list[tuple[str, str, int]]:
    """Return what an attempt counts for: a kind, the digest of a network, and the most a day."""
    most: int = MAX_A_DAY[kind]
    levels = [(kind, digest_of(client_address, about), most)]
    if address := _ip_address(client_address):
        for length, times in WIDER[address.version]:
            network = str(ip_network((address, length), strict=False))
            levels.append((f"{kind}/{length}", _digest(network, about), most * times))
    return levels


def write_for_nobody(now: datetime) -> None:
    """Write a row where nobody is meant, as is written for somebody: a commit takes long."""
    Attempt.objects.create(kind="nobody", source="", at=now)


def note_login(player: int, client_address: str, now: datetime) -> None:
    """Remember for a while that a player has logged in from an address."""
    source = digest_of(client_address, str(player))
    if not Attempt.objects.filter(kind=_KNOWN, source=source).update(at=now):
        Attempt.objects.create(kind=_KNOWN, source=source, at=now)


def is_known(player: int, client_address: str, now: datetime) -> bool:
    """Return whether a player has logged in from an address not long ago."""
    source = digest_of(client_address, str(player))
    return Attempt.objects.filter(kind=_KNOWN, source=source, at__gt=now - KNOWN_FOR).exists()


def has_tried(kind: str, client_address: str, now: datetime, about: str = "") -> bool:
    """Return whether an attempt came from a client today, or from a network around it."""
    level, source, _ = _counted(kind, client_address, about)[-1]
    return Attempt.objects.filter(kind=level, source=source, at__gt=now - DAY).exists()


def digest_of(client_address: str, about: str = "") -> str:
    """Return a digest of an address, under the server's key, as it may be kept."""
    return _digest(
        client_address.lower() if "@" in client_address else network_of(client_address), about
    )


def _digest(part: str, about: str) -> str:
    part = f"{part} {about}" if about else part
    return hmac.new(settings.SECRET_KEY.encode(), part.encode(), sha256).hexdigest()


def network_of(client_address: str) -> str:
    """Return the part of the net that one line has to itself; "" for what is no address.

    That is an address, or for IPv6 the network of 64 bits that it is in.
    """
    address = _ip_address(client_address)
    if isinstance(address, IPv6Address):
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address or "")


def _ip_address(client_address: str) -> IPv4Address | IPv6Address | None:
    """Return the address that a text is; None for what is none."""
    try:
        address = ip_address(client_address.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
