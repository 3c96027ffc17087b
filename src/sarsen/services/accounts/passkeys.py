"""Passkeys: a device proves with a key of its own that its owner is there.

What a device says is read and checked by `fido2`; here is kept whose keys there are. A
challenge is used once and not for long: the door keeps it in the session and gives it away
with the first answer.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_bytes
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from sarsen.core.errors import UserError
from sarsen.services.accounts.login_methods import check_another_way
from sarsen.services.limits import daily
from sarsen.services.notices import Event, notify
from sarsen.services.players import lock_player
from sarsen.services.speakers import hold_player
from sarsen.storage.models import Passkey, Player

LASTS = timedelta(minutes=15)  # of a challenge: time to find the device (decision 0025)
MAX_PASSKEYS = 20  # bounds the list of a page; nobody has as many devices
MAX_LABEL = 60  # characters, as they fit in one line of that list
# Characters, before JSON is read: the page's script sends less, anybody else may send anything.
MAX_ANSWER_LENGTH = 20_000
# What `fido2` raises at answers that are none: it reads them as it goes.
_UNREADABLE = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError, AssertionError),
    *(struct.error, NotImplementedError, RecursionError),
)


@dataclass(frozen=True)
class PasskeyChallenge:
    """A question to a device.

    Attributes:
        options: What the browser hands to the device, as JSON.
        state: What the session keeps until the answer comes.
    """

    options: dict[str, Any]
    state: dict[str, Any]


@dataclass(frozen=True)
class ListedPasskey:
    """A passkey as its owner sees it."""

    number: int
    label: str
    made_at: datetime
    used_at: datetime | None


def are_possible() -> bool:
    """Return whether browsers take passkeys for this server's address.

    They ask for a name, not a number, and for https, except at the machine itself.
    """
    parts = urlsplit(settings.SARSEN_URL)
    name = parts.hostname or ""
    try:
        ip_address(name)
    except ValueError:
        return parts.scheme == "https" or name == "localhost" or name.endswith(".localhost")
    return False


def ask_for_new(player: Player, now: datetime) -> PasskeyChallenge:
    """Return what a device needs to create a passkey; one that has a passkey here creates none."""
    rows = list(player.passkeys.order_by("pk"))
    handle = bytes.fromhex(rows[0].handle) if rows else token_bytes(32)
    user = PublicKeyCredentialUserEntity(id=handle, name=player.userid, display_name=player.userid)
    options, state = _server().register_begin(
        user,
        [AttestedCredentialData(bytes(row.credential)) for row in rows],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    stored_state = {**state, "at": now.isoformat(), "player": player.pk, "handle": handle.hex()}
    return PasskeyChallenge(dict(options), stored_state)


@transaction.atomic
def add(player: Player, state: dict[str, Any], answer: str, label: str, now: datetime) -> None:
    """Store the passkey that a device has created; a letter goes to all addresses.

    Raises:
        UserError: It does not answer this question, or is no key, or there are enough.
    """
    label = " ".join(label.split())
    if len(label) > MAX_LABEL:
        raise UserError(
            "The name of a passkey has at most {most} characters; this one has {count}.",
            code="passkey-label",
            hint="my telephone",
            most=MAX_LABEL,
            count=len(label),
        )
    hold_player(player)
    lock_player(player, "userid")  # so that two at once do not pass MAX_PASSKEYS
    if player.passkeys.count() >= MAX_PASSKEYS:
        raise UserError(
            "An account has at most {most} passkeys.",
            code="too-many-passkeys",
            hint="Remove one you no longer use.",
            most=MAX_PASSKEYS,
        )
    daily.check(player, "account", now)
    _check_fresh(state, now, player)
    try:
        response = RegistrationResponse.from_dict(_read(answer))
        data = _server().register_complete(state, response)
    except _UNREADABLE:
        raise _refusal() from None
    credential = data.credential_data
    if credential is None or len(credential) > MAX_ANSWER_LENGTH:
        raise _refusal()
    digest = sha256(credential.credential_id).hexdigest()
    if Passkey.objects.filter(digest=digest).exists():
        raise _refusal()
    Passkey.objects.create(
        player=player,
        handle=state["handle"],
        digest=digest,
        credential=bytes(credential),
        uses=data.counter,
        label=label or f"Passkey of {now:%d %B %Y}",
        made_at=now,
    )
    notify(player, Event.ACCOUNT, "account-changed", {"what": "passkey"}, now)


def ask_who(now: datetime) -> PasskeyChallenge:
    """Return what a device needs to log in with a passkey for this server."""
    options, state = _server().authenticate_begin(
        user_verification=UserVerificationRequirement.REQUIRED
    )
    return PasskeyChallenge(dict(options), {**state, "at": now.isoformat()})


@transaction.atomic
def player_of_device(state: dict[str, Any], answer: str, now: datetime) -> Player:
    """Return the player whose device has answered.

    Raises:
        UserError: It does not answer this question, or the key is nobody's.
    """
    _check_fresh(state, now, None)
    try:
        response = AuthenticationResponse.from_dict(_read(answer))
        row = _find_passkey(response)
        _server().authenticate_complete(
            state, [AttestedCredentialData(bytes(row.credential))], response
        )
        uses, handle = response.response.authenticator_data.counter, response.response.user_handle
    except _UNREADABLE:
        raise _refusal() from None
    # A count that does not grow comes from a copy of the key (Web Authentication, 7.2).
    if (handle is not None and handle.hex() != row.handle) or (
        (uses or row.uses) and uses <= row.uses
    ):
        raise _refusal()
    Passkey.objects.filter(pk=row.pk).update(uses=uses, used_at=now)
    return row.player


def passkeys_of(player: Player) -> tuple[ListedPasskey, ...]:
    """List a player's passkeys, the oldest first."""
    return tuple(
        ListedPasskey(row.pk, row.label, row.made_at, row.used_at)
        for row in player.passkeys.order_by("pk")
    )


@transaction.atomic
def remove(player: Player, number: int, now: datetime) -> None:
    """Delete a passkey.

    Raises:
        UserError: It is not the player's, or no other login method would remain.
    """
    lock_player(player, "userid")  # two removed at once must not leave no login method
    row = player.passkeys.filter(pk=number).first()
    if row is None:
        raise UserError("You have no such passkey.", code="no-passkey", hint="account")
    check_another_way(player, without_passkey=number)
    daily.check(player, "account", now)
    row.delete()
    notify(player, Event.ACCOUNT, "account-changed", {"what": "passkey-gone"}, now)


def _find_passkey(response: AuthenticationResponse) -> Passkey:
    digest = sha256(response.raw_id).hexdigest()
    # Locked: the sign count is compared and stored by one login at a time.
    rows = Passkey.objects.select_related("player").select_for_update(of=("self",))
    row = rows.filter(digest=digest, player__is_active=True).first()
    if row is None:
        raise _refusal()
    return row


def _server() -> Fido2Server:
    host = urlsplit(settings.SARSEN_URL).hostname or ""
    entity = PublicKeyCredentialRpEntity(id=host, name="sarsen")
    # The very origin, not any part of the same domain, which is what `fido2` would take.
    return Fido2Server(entity, verify_origin=_is_own_origin)


def _is_own_origin(origin: str) -> bool:
    parts = urlsplit(settings.SARSEN_URL)
    return origin == f"{parts.scheme}://{parts.netloc}"


def _read(answer: str) -> dict[str, Any]:
    if len(answer) > MAX_ANSWER_LENGTH:
        raise _refusal()
    data = json.loads(answer)
    if not isinstance(data, dict):
        raise _refusal()
    return data


def _check_fresh(state: dict[str, Any], now: datetime, player: Player | None) -> None:
    asked_at = datetime.fromisoformat(state["at"]) if state else datetime.min.replace(tzinfo=UTC)
    if asked_at + LASTS < now or state.get("player") != (player.pk if player else None):
        raise UserError(
            "This login attempt has expired, or was already used.",
            code="passkey-old",
            hint="Please try again.",
        )


def _refusal() -> UserError:
    return UserError(
        "This passkey does not belong to an account here.",
        code="passkey-refused",
        hint="Log in by mail; you can add a passkey in your settings.",
    )
