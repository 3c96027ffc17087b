"""Web Push: notices on the devices of a player, by the push service of each browser.

The words are encrypted for the device (RFC 8291), so that the push service reads nothing;
the server proves itself by the operator's key (RFC 8292). A device that its service calls
gone is forgotten. What does not go through is tried again, for as long as it is news.
Browsers add devices, and any of a player's devices may end another.
"""

from __future__ import annotations

import json
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.db.models import F, Min, QuerySet
from py_vapid import Vapid02

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.services.notices.channels import Event
from sarsen.services.notices.outgoing_requests import PostResult, check_address, post
from sarsen.services.notices.turns import take_turns
from sarsen.services.request import Player
from sarsen.services.speakers import hold_player
from sarsen.storage.models import Device, Push

MAX_OF_ONE = 8  # pushes to one device in a turn: others wait for the thread
# A sweep that dies leaves its notices to the next one after this time.
CLAIM_LASTS = timedelta(minutes=3)
# Before each further try; a notice that comes hours late is none any more.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120))
LASTS = timedelta(days=1)  # that a push service keeps a notice for a device that is off
TOKEN_LASTS = 12 * 3600  # seconds; services take no more than a day
# Notices given up, one after the other: nobody uses this device any more (decision 0028).
MAX_FAILURES = 10
GONE = (404, 410)
# Characters of an endpoint: push services write long ones, beyond `outgoing_requests.LONGEST`.
LONGEST = 1000
MAX_DEVICES = 10  # of one player, each is called for each notice; the oldest goes
_BASE64 = re.compile(r"[A-Za-z0-9_-]{20,100}={0,2}")
_SECRET_BYTES = 16  # of the authentication secret (RFC 8291, 3.2)


@dataclass(frozen=True)
class PushContent:
    """The content of a push notice: few words, and nothing that others must not see on a screen.

    Attributes:
        url: Where a tap leads, a path of this server.
        tag: A later notice with the same tag takes the place of this one; "" for none.
    """

    title: str
    text: str
    url: str
    tag: str


Wording = Callable[[Push], PushContent]
Pushes = Sequence[tuple[Push, PushContent]]  # to one device, in order


def public_key() -> str:
    """Return the key that browsers are told, in base64url; "" when the operator has set none."""
    if not settings.SARSEN_PUSH_KEY:
        return ""
    numbers = _vapid().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(numbers).rstrip(b"=").decode()


def is_any_due(now: datetime) -> bool:
    """Return whether a notice waits to be sent to a device."""
    return bool(settings.SARSEN_PUSH_KEY) and _waiting().filter(due_at__lte=now).exists()


def sweep_pushes(now: datetime, words: Wording) -> int:
    """Send what is due to devices, or becomes due meanwhile; return how many were taken."""

    def claim(now: datetime, most: int, running: Collection[Pushes]) -> Iterator[Pushes]:
        for pushes in _claim(now, most, running):
            # Worded here, where the database may be asked.
            yield [(push, words(push)) for push in pushes]

    return take_turns(claim, _send_in_order, _record, now)


def _waiting() -> QuerySet[Push]:
    return Push.objects.filter(state=Push.State.WAITING)


def _claim(now: datetime, most: int, running: Collection[Pushes]) -> list[list[Push]]:
    """Claim notices for so many devices that are due, so that no other sweep sends them.

    The device whose notices have waited longest comes first; those that are being called are
    left out.
    """
    called = [pushes[0][0].device_id for pushes in running]
    with transaction.atomic():
        due = _waiting().filter(due_at__lte=now).exclude(device__in=called)
        by_device = due.order_by().values_list("device").annotate(first=Min("due_at"))
        devices = [device for device, _ in by_device.order_by("first", "device")[:most]]
        # Locked until they are marked as claimed; those that another sweep has are skipped.
        free = due.select_for_update(skip_locked=True, of=("self",), no_key=True)
        free = free.select_related("device__player", "match").order_by("pk")
        claimed = [list(free.filter(device=device)[:MAX_OF_ONE]) for device in devices]
        keys = [push.pk for pushes in claimed for push in pushes]
        Push.objects.filter(pk__in=keys).update(due_at=now + CLAIM_LASTS)
    return list(filter(None, claimed))


def _send_in_order(pushes: Pushes, now: datetime) -> list[PostResult]:
    answers = []
    for push, content in pushes:
        answers.append(_send(push, content))
        if not answers[-1].is_taken:
            break
    return answers


def _send(push: Push, content: PushContent) -> PostResult:
    device = push.device
    body = http_ece.encrypt(
        json.dumps(asdict(content), ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(device.public),
        auth_secret=_bytes(device.secret),
        version="aes128gcm",
    )
    headers = {
        **_proof(device.endpoint),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(LASTS.total_seconds())),
        "Urgency": "high" if push.event == Event.REMINDER else "normal",
    }
    if content.tag:
        headers["Topic"] = content.tag  # one that was not fetched yet is replaced
    return post(device.endpoint, body, headers, longest=LONGEST)


def _proof(endpoint: str) -> dict[str, str]:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + TOKEN_LASTS,
        "sub": f"mailto:postmaster@{settings.SARSEN_DOMAIN}",
    }
    return dict(_vapid().sign(claims))


def _record(called: Pushes, answers: Sequence[PostResult], now: datetime) -> int:
    """Write down how the notices for one device went; return how many were taken."""
    pushes = [push for push, _ in called]
    device = pushes[0].device
    if answers[-1].status in GONE:
        Device.objects.filter(pk=device.pk).delete()
        return sum(answer.is_taken for answer in answers)
    taken = [push.pk for push, answer in zip(pushes, answers, strict=False) if answer.is_taken]
    with transaction.atomic():
        sent = {"state": Push.State.SENT, "sent_at": now, "error": ""}
        Push.objects.filter(pk__in=taken).update(**sent, attempts=F("attempts") + 1)
        if taken:
            Device.objects.filter(pk=device.pk).update(failures=0)
        if not answers[-1].is_taken:
            _postpone(pushes[len(answers) - 1 :], answers[-1], now)
    return len(taken)


def _postpone(pushes: Sequence[Push], answer: PostResult, now: datetime) -> None:
    """Postpone notices; one that is no news any more is given up, with its device."""
    failed, postponed = pushes[0], Push.objects.filter(pk__in=[push.pk for push in pushes])
    error = answer.error[:300]
    Push.objects.filter(pk=failed.pk).update(attempts=F("attempts") + 1, error=error)
    if failed.attempts < len(WAITS):
        later = now + WAITS[failed.attempts]
        postponed.update(due_at=later)
        # A service in trouble is asked once, and not for each notice.
        _waiting().filter(device=failed.device, due_at__lt=later).update(due_at=later)
        return
    Push.objects.filter(pk=failed.pk).update(state=Push.State.FAILED)
    postponed.update(due_at=now)
    Device.objects.filter(pk=failed.device_id).update(failures=F("failures") + 1)
    Device.objects.filter(pk=failed.device_id, failures__gte=MAX_FAILURES).delete()


def _vapid() -> Vapid02:
    return Vapid02.from_raw(settings.SARSEN_PUSH_KEY.encode())


@dataclass(frozen=True)
class ListedDevice:
    """One device; `is_this` marks the one that asks."""

    number: int
    label: str
    made_at: datetime
    is_this: bool


@transaction.atomic
def add_device(
    player: Player, endpoint: str, public: str, secret: str, label: str, now: datetime
) -> int:
    """Show a player's notices on one more device; return its number.

    Args:
        endpoint, public, secret: As its browser gave them.

    Raises:
        UserError: No address that may be called, or no keys; or no notices of this kind here.
    """
    hold_player(player)
    _check(endpoint, public, secret)
    values = {
        "player": player,
        "endpoint": endpoint,
        "public": public,
        "secret": secret,
        "label": label[:60],
        "made_at": now,
        "failures": 0,
    }
    # A player who was logged in there before sees nothing there any more.
    device, _ = Device.objects.update_or_create(digest=_digest(endpoint), defaults=values)
    surplus = Device.objects.filter(player=player).order_by("-made_at", "-pk")[MAX_DEVICES:]
    Device.objects.filter(pk__in=[row.pk for row in surplus]).delete()
    return int(device.pk)


def renew_device(former: str, former_secret: str, endpoint: str, public: str, secret: str) -> None:
    """Send to another endpoint what went to a device before: its browser has changed it.

    Args:
        former, former_secret: The endpoint before and its secret, which only that browser
            and this server know; they prove that it is the same browser.

    Raises:
        UserError: No such device, or nothing that can be called in its place.
    """
    _check(endpoint, public, secret)
    with transaction.atomic():
        # Locked: a sweep may be about to delete it, or to count a failure.
        device = Device.objects.select_for_update().filter(digest=_digest(former)).first()
        if device is None or not compare_digest(device.secret.encode(), former_secret.encode()):
            raise _refusal(Phrase("This device is not known here."))
        # Somebody else may have been logged in there before.
        Device.objects.filter(digest=_digest(endpoint)).exclude(pk=device.pk).delete()
        device.endpoint, device.digest = endpoint, _digest(endpoint)
        device.public, device.secret, device.failures = public, secret, 0
        device.save()


def devices_of(player: Player, this: int | None) -> tuple[ListedDevice, ...]:
    """List a player's devices; `this` is the number of the one that asks."""
    rows = Device.objects.filter(player=player).order_by("-made_at", "-pk")
    return tuple(
        ListedDevice(device.pk, device.label, device.made_at, device.pk == this) for device in rows
    )


def end_device(player: Player, number: int) -> None:
    """Send no more to a device of a player; one that is gone already is no fault."""
    Device.objects.filter(player=player, pk=number).delete()


def end_other_devices(player: Player, this: int | None) -> None:
    """Send no more to any device of a player but this one."""
    Device.objects.filter(player=player).exclude(pk=this or 0).delete()


def _check(endpoint: str, public: str, secret: str) -> None:
    if not public_key():
        raise _refusal(Phrase("This server sends no notifications to devices."))
    check_address(endpoint, LONGEST)
    if not _is_point(public) or len(_decoded(secret)) != _SECRET_BYTES:
        raise _refusal(Phrase("These are not the keys of a browser."))


def _digest(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _is_point(text: str) -> bool:
    """Return whether a text is a point of the curve that browsers use."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(text))
    except ValueError:
        return False
    return True


def _decoded(text: str) -> bytes:
    try:
        return _bytes(text) if _BASE64.fullmatch(text) else b""
    except Error:
        return b""


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _refusal(text: Phrase) -> UserError:
    return UserError(text, code="push-device", hint="Switch them on again on that device.")
