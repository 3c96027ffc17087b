"""A device that holds passkeys, as far as a server can tell; for tests."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

HERE = "https://play.example.org"
PRESENT = AuthenticatorData.FLAG.UP
VERIFIED = PRESENT | AuthenticatorData.FLAG.UV


@dataclass
class Device:
    """Make and use one key."""

    origin: str = HERE
    flags: Any = VERIFIED
    uses: int = 0
    name: bytes = b"a credential of sixteen or more"
    handle: bytes = b""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def make(self, options: dict[str, Any]) -> str:
        """Answer a question for a new key."""
        asked = json.loads(json.dumps(options))["publicKey"]
        self.handle = websafe_decode(asked["user"]["id"])
        public = ES256.from_cryptography_key(self.key.public_key())
        credential = AttestedCredentialData.create(Aaguid(bytes(16)), self.name, public)
        flags = self.flags | AuthenticatorData.FLAG.AT
        data = AuthenticatorData.create(self._rp(asked["rp"]["id"]), flags, self.uses, credential)
        said = self._client("webauthn.create", asked["challenge"])
        attested = AttestationObject.create("none", data, {})
        return self._answer(
            {"clientDataJSON": said.b64, "attestationObject": websafe_encode(bytes(attested))}
        )

    def prove(self, options: dict[str, Any]) -> str:
        """Answer a question who is there."""
        asked = json.loads(json.dumps(options))["publicKey"]
        self.uses += 1 if self.uses else 0
        data = AuthenticatorData.create(self._rp(asked["rpId"]), self.flags, self.uses)
        said = self._client("webauthn.get", asked["challenge"])
        signature = self.key.sign(bytes(data) + said.hash, ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": said.b64,
                "authenticatorData": websafe_encode(bytes(data)),
                "signature": websafe_encode(signature),
                "userHandle": websafe_encode(self.handle),
            }
        )

    def _client(self, kind: str, challenge: str) -> CollectedClientData:
        return CollectedClientData.create(kind, websafe_decode(challenge), self.origin)

    def _answer(self, response: dict[str, str]) -> str:
        name = websafe_encode(self.name)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})

    @staticmethod
    def _rp(name: str) -> bytes:
        return sha256(name.encode()).digest()
