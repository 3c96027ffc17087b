"""The devices on which a player sees notices: browsers add them, any of them may end another."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.services.notices.outgoing_requests import check_address
from sarsen.services.notices.push import LONGEST, public_key
from sarsen.services.request import Player
from sarsen.storage.models import Device

MOST_DEVICES = 10  # of one player; the oldest goes
_BASE64 = re.compile(r"[A-Za-z0-9_-]{20,100}={0,2}")
_SECRET_BYTES = 16


@dataclass(frozen=True)
class ListedDevice:
    """One device; `is_this` marks the one that asks."""

    number: int
    label: str
    made_at: datetime
    is_this: bool


def add_device(
    player: Player, endpoint: str, public: str, secret: str, label: str, now: datetime
) -> int:
    """Show a player's notices on one more device; return its number.

    Args:
        endpoint, public, secret: As its browser gave them.

    Raises:
        UserError: No address that may be called, or no keys; or no notices of this kind here.
    """
    _check(endpoint, public, secret)
    kept = {
        "player": player,
        "endpoint": endpoint,
        "public": public,
        "secret": secret,
        "label": label[:60],
        "made_at": now,
        "failures": 0,
    }
    # A player who was logged in there before sees nothing there any more.
    device, _ = Device.objects.update_or_create(digest=_digest(endpoint), defaults=kept)
    surplus = Device.objects.filter(player=player).order_by("-made_at", "-pk")[MOST_DEVICES:]
    Device.objects.filter(pk__in=[one.pk for one in surplus]).delete()
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
        device = Device.objects.select_for_update().filter(digest=_digest(former)).first()
        if device is None or not compare_digest(device.secret.encode(), former_secret.encode()):
            raise _refused(Phrase("No device is known by that."))
        # Somebody else may have been logged in there before.
        Device.objects.filter(digest=_digest(endpoint)).exclude(pk=device.pk).delete()
        device.endpoint, device.digest = endpoint, _digest(endpoint)
        device.public, device.secret, device.failures = public, secret, 0
        device.save()


def devices_of(player: Player, this: int | None) -> tuple[ListedDevice, ...]:
    """List a player's devices; `this` is the number of the one that asks."""
    rows = Device.objects.filter(player=player).order_by("-made_at", "-pk")
    return tuple(ListedDevice(one.pk, one.label, one.made_at, one.pk == this) for one in rows)


def end_device(player: Player, number: int) -> None:
    """Send no more to a device of a player; one that is gone already is no fault."""
    Device.objects.filter(player=player, pk=number).delete()


def end_other_devices(player: Player, this: int | None) -> None:
    """Send no more to any device of a player but this one."""
    Device.objects.filter(player=player).exclude(pk=this or 0).delete()


def _check(endpoint: str, public: str, secret: str) -> None:
    if not public_key():
        raise _refused(Phrase("This server sends no notices to devices."))
    check_address(endpoint, LONGEST)
    if not _is_point(public) or len(_decoded(secret)) != _SECRET_BYTES:
        raise _refused(Phrase("These are no keys of a browser."))


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
    if not _BASE64.fullmatch(text):
        return b""
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except Error:
        return b""


def _refused(text: Phrase) -> UserError:
    return UserError(text, code="push-device", hint="Switch them on again on that device.")
