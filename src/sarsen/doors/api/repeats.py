"""The header `Idempotency-Key`: the same request again gets the same answer, done once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from sarsen.core.errors import UserError
from sarsen.services.call import Player

HEADER = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True)
class Request:
    """Name a request for `services.dispatch.perform`; both "" without the header."""

    key: str = ""
    said: str = ""


def request_of(request: HttpRequest, player: Player | None) -> Request:
    """Name what is asked, by the header and who asks.

    Raises:
        UserError: The header is too long, or no plain text.
    """
    given = request.headers.get(HEADER, "").strip()
    if not given:
        return Request()
    if not _KEY.fullmatch(given):
        raise UserError(
            f"An {HEADER} has 1 to 200 visible ASCII characters and no blanks.",
            code="key-form",
            hint=f"{HEADER}: 5f0c6e2a-7d0b-4a57-9d5e-1f1a8f2f6f01",
        )
    # With a key of ours: a body may hold a password, and the digest is kept.
    body = request.path.encode() + b"\n" + request.body
    said = salted_hmac("api", body, algorithm="sha256").hexdigest()
    digest = sha256(given.encode()).hexdigest()[:48]
    if player is None:
        # Nobody's keys are nobody's own: another visitor may have the same one.
        return Request(f"api:0:{digest[:24]}{said[:24]}", said)
    return Request(f"api:{player.pk}:{digest}", said)
