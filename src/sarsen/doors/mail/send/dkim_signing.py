"""Sign letters with the domain's key (DKIM, RFC 6376), and word the record that proves it.

Fields and canonical forms are dkimpy's; the key's own step is OpenSSL's, which is many
times as fast. Ed25519 (RFC 8463) works, too, but few receivers know it yet.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

import dkim
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from django.conf import settings
from dkim.canonicalization import CanonicalizationPolicy

from sarsen.core.errors import UserError

RSA_BITS = 2048  # what RFC 8301 asks of signers, and every receiver can verify
LEAST_RSA_BITS = 1024  # receivers take no shorter ones (RFC 8301)
# Those that are there. From stands twice, so that nobody can add another one on the way;
# and a server that offers to stop letters by one click must sign that offer (RFC 8058).
_SIGNED_FIELDS = (
    b"from",
    b"from",
    b"to",
    b"reply-to",
    b"subject",
    b"date",
    b"message-id",
    b"in-reply-to",
    b"references",
    b"mime-version",
    b"content-type",
    b"content-transfer-encoding",
    b"auto-submitted",
    b"list-id",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
    b"list-archive",
    b"list-post",
)
_FIELD = b"DKIM-Signature"
# Nobody has reason to touch a body on its way, and making it relaxed costs as much as the key.
_FORM = CanonicalizationPolicy.from_c_value(b"relaxed/simple")
_END = b"\r\n\r\n"  # of the header
_LINE = 70  # characters of a folded signature: lines of a header should have at most 78 (RFC 5322)
_Key = RSAPrivateKey | Ed25519PrivateKey


@dataclass
class _Collected:
    """Collect the pieces that dkimpy would hash."""

    pieces: list[bytes] = field(default_factory=list)

    def update(self, piece: bytes) -> None:
        self.pieces.append(piece)


def sign(raw: bytes) -> bytes:
    """Put a signature above a letter.

    The same letter gets the same signature each time, as its second copy must.
    """
    key = read_key(settings.SARSEN_DKIM_KEY)
    header, _, body = raw.partition(_END)
    fields, _ = dkim.rfc822_parse(header + _END)
    present = {name.lower() for name, _ in fields}
    names = [name for name in _SIGNED_FIELDS if name in present]
    value = b" " + _tags(key, names, body)
    collected = _Collected()
    forms = _FORM.canonicalize_headers(fields)
    dkim.hash_headers(collected, _FORM, forms, names, (_FIELD, value), {})
    signature = _signature(key, b"".join(collected.pieces))
    return b"".join((_FIELD, b":", value, _folded(signature), b"\r\n", raw))


@lru_cache(maxsize=4)
def read_key(pem: str) -> _Key:
    """Read a private key.

    Raises:
        UserError: It is none that letters can be signed with. Nothing of it is repeated.
    """
    try:
        key = serialization.load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError):  # no key, or one under a password
        raise _no_key() from None
    if isinstance(key, Ed25519PrivateKey):
        return key
    if isinstance(key, RSAPrivateKey) and key.key_size >= LEAST_RSA_BITS:
        return key
    raise _no_key()


def new_key(*, is_ed25519: bool = False) -> str:
    """Make a private key in PEM form."""
    key: _Key = (
        Ed25519PrivateKey.generate() if is_ed25519 else generate_private_key(65537, RSA_BITS)
    )
    form, cipher = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, form, cipher).decode()


def dns_record(pem: str, selector: str, domain: str) -> tuple[str, str]:
    """Return the name and the text of the TXT record by which others prove our letters.

    Raises:
        UserError: The key is none.
    """
    key = read_key(pem)
    if isinstance(key, Ed25519PrivateKey):
        kind = "ed25519"
        public = key.public_key().public_bytes_raw()
    else:
        kind = "rsa"
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        public = key.public_key().public_bytes(serialization.Encoding.DER, form)
    text = f"v=DKIM1; k={kind}; p={base64.b64encode(public).decode()}"
    return f"{selector}._domainkey.{domain}", text


def strings(text: str) -> str:
    """Write a text as the strings of a TXT record, which hold 255 characters each."""
    return " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))


def _tags(key: _Key, names: list[bytes], body: bytes) -> bytes:
    """Write the tags of a signature, up to where the signature itself stands."""
    digest = base64.b64encode(sha256(_FORM.canonicalize_body(body)).digest())
    tags = (
        b"v=1",
        b"a=" + (b"ed25519-sha256" if isinstance(key, Ed25519PrivateKey) else b"rsa-sha256"),
        b"c=" + _FORM.to_c_value(),
        b"d=" + settings.SARSEN_DOMAIN.encode(),
        b"s=" + settings.SARSEN_DKIM_SELECTOR.encode(),
        b"h=" + b" : ".join(names),
        b"bh=" + digest,
        b"b=",
    )
    folded: bytes = dkim.fold(b"; ".join(tags), namelen=len(_FIELD) + 2)
    return folded


def _signature(key: _Key, content: bytes) -> bytes:
    if isinstance(key, Ed25519PrivateKey):
        return key.sign(sha256(content).digest())
    return key.sign(content, PKCS1v15(), hashes.SHA256())


def _folded(signature: bytes) -> bytes:
    words = base64.b64encode(signature)
    return b"".join(b"\r\n " + words[at : at + _LINE] for at in range(0, len(words), _LINE))


def _no_key() -> UserError:
    return UserError(
        "SARSEN_DKIM_KEY must be a private key in PEM format, or a file that contains one: RSA of "
        f"{LEAST_RSA_BITS} bits or more, or Ed25519, without a password.",
        code="dkim-key",
        hint="sarsen dkim-key dkim.pem",
    )
