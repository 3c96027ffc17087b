"""Signatures of records (Ed25519), and what shows that one is right. No database, no settings.

docs/records.md says what is signed. Anyone who has a record and the public key can tell at any
time, without asking the server, that it comes from there and that nothing in it was changed.
"""

from __future__ import annotations

import binascii
import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from sarsen.core import key_files
from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.core.phrases import quoted
from sarsen.core.records import Record
from sarsen.core.records.text import signed_bytes, write_time

SECRET_BYTES = PUBLIC_BYTES = 32  # of Ed25519 (RFC 8032)


@dataclass(frozen=True)
class PublicKey:
    """A key that shows whether a signature is right.

    Attributes:
        public: The 32 bytes of the key in base64.
        since, until: From when to when records were signed with it, in UTC; `until` is ""
            while they are, and both where nobody knows.
    """

    public: str
    since: str = ""
    until: str = ""

    @property
    def name(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the 32 bytes."""
        return sha256(b64decode(self.public)).hexdigest()[:16]

    @property
    def pem(self) -> str:
        """The key as other programs take it (`-----BEGIN PUBLIC KEY-----`)."""
        key = Ed25519PublicKey.from_public_bytes(b64decode(self.public))
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def read_public(text: str, since: str = "", until: str = "") -> PublicKey:
    """Read a public key in base64.

    Raises:
        UserError: It is none.
    """
    try:
        key_bytes = b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key_bytes = b""
    if len(key_bytes) != PUBLIC_BYTES:
        raise UserError(
            f"{quoted(text.strip(), 60)} is not a public key: 32 bytes in base64.",
            code="record.key",
            hint="sarsen key shows the keys of a server; so does its page /.well-known/sarsen-keys",
        )
    return PublicKey(b64encode(key_bytes).decode(), since, until)


def public_of(secret: bytes) -> str:
    """Return the public key of a secret one, in base64."""
    public = Ed25519PrivateKey.from_private_bytes(secret).public_key()
    return b64encode(public.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def signed(record: Record, game: Game, secret: bytes) -> Record:
    """Sign a record."""
    signature = Ed25519PrivateKey.from_private_bytes(secret).sign(signed_bytes(record, game))
    name = PublicKey(public_of(secret)).name
    return replace(record, signature=f"{name}:{b64encode(signature).decode()}")


def check(record: Record, game: Game, keys: Iterable[PublicKey]) -> PublicKey:
    """Make sure that a record carries a right signature by one of these keys; return the key.

    Raises:
        UserError: It carries none, one by another key, or one that is wrong.
    """
    name, _, signature = record.signature.partition(":")
    if not record.signature:
        raise _refusal("The record is not signed", "record.unsigned")
    key = next((key for key in keys if key.name == name), None)
    if key is None:
        raise _refusal(
            f"The record is signed by another key, {quoted(name, 40)}", "record.other-key"
        )
    try:
        public = Ed25519PublicKey.from_public_bytes(b64decode(key.public))
        public.verify(b64decode(signature, validate=True), signed_bytes(record, game))
    except (InvalidSignature, binascii.Error, ValueError):
        raise _refusal(
            "The signature is wrong: something was changed after the server signed the record",
            "record.signature",
        ) from None
    return key


def _refusal(text: str, code: str) -> UserError:
    return UserError(
        f"{text}.", code=code, hint="Get the record from the server where it was played."
    )


FILE = "signing.key"


def secret_key() -> bytes:
    """Return the secret key that records are signed with now, and make one if there is none.

    Raises:
        UserError: The file cannot be read or made, or holds no key.
    """
    if settings.SARSEN_SIGNING_KEY:
        return _secret(settings.SARSEN_SIGNING_KEY)
    return _secret(_stored_keys()["secret"])


def public_keys() -> tuple[PublicKey, ...]:
    """Return the public keys, the one in use first, then the older ones, the newest first.

    Raises:
        UserError: As `secret_key`.
    """
    if not settings.SARSEN_SIGNING_KEY:
        return _public(_stored_keys())
    current = PublicKey(public_of(_secret(settings.SARSEN_SIGNING_KEY)))
    older = _public(_stored_keys()) if _path().exists() else ()
    return (current, *(key for key in older if key.public != current.public))


def change_key(now: datetime) -> PublicKey:
    """Sign with a new key from now on; the old one's secret half is gone, its public half kept.

    Raises:
        UserError: As `secret_key`; or the key in use stands in the environment.
    """
    if settings.SARSEN_SIGNING_KEY:
        raise UserError(
            "The key is set in SARSEN_SIGNING_KEY; this machine's file is not used.",
            code="signing-key",
            hint="Set it to another 32 bytes in base64, and save the old public key elsewhere.",
        )
    old, *older = _stored_keys()["keys"]
    new_keys = _new_keys(now)
    new_keys["keys"] += [old | {"until": write_time(now)}, *older]
    key_files.replace(_path(), json.dumps(new_keys))
    return _public(new_keys)[0]


def _public(stored: dict[str, Any]) -> tuple[PublicKey, ...]:
    return tuple(PublicKey(**key) for key in stored["keys"])


def _stored_keys() -> dict[str, Any]:
    path = _path()
    try:
        if not path.exists():
            key_files.make_once(path, json.dumps(_new_keys(datetime.now(UTC))))
        stored = json.loads(path.read_text(encoding="ascii"))
        first = _public(stored)[0]
        is_right = all(key.name for key in _public(stored))
        if is_right and first.public == public_of(_secret(stored["secret"])):
            return dict(stored)
    except OSError as error:
        raise UserError(
            f"{path} cannot be used: {error.strerror}.",
            code="signing-key",
            hint="sarsen serve --data FOLDER, with a folder that this user can write to",
        ) from None
    except (ValueError, KeyError, TypeError, IndexError):
        pass
    raise UserError(
        f"{path} contains no key to sign records.",
        code="signing-key",
        hint=f"Restore it from a backup. Or save its public keys elsewhere, then: rm {path}",
    )


def _secret(text: str) -> bytes:
    try:
        key_bytes = b64decode(text, validate=True)
    except ValueError:
        key_bytes = b""
    if len(key_bytes) != SECRET_BYTES:
        raise UserError(
            "A key to sign records must be 32 bytes in base64.",
            code="signing-key",
            hint="Use the value of `secret` in signing.key. A new key: "
            "head -c 32 /dev/urandom | base64",
        )
    return key_bytes


def _new_keys(now: datetime) -> dict[str, Any]:
    secret = secrets.token_bytes(SECRET_BYTES)
    key = PublicKey(public_of(secret), since=write_time(now))
    return {"secret": b64encode(secret).decode(), "keys": [asdict(key)]}


def _path() -> Path:
    return Path(settings.DATA) / FILE
