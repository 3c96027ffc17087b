"""Bodies of requests: read under a deadline, and counted while they are on their way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.types import WSGIEnvironment

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError  # type: ignore[attr-defined]

from sarsen.core.errors import UserError

FIRST_SECONDS = 10.0  # for any body, however short, over a slow line
LEAST_RATE = 5_000  # bytes a second, for what is longer: a slow line has more
MAX_AWAITED = 64 * 1024 * 1024  # bytes of all bodies on their way together: they are held in memory
MAX_FROM_ONE_NETWORK = 4 * 1024 * 1024  # bytes of these, from one network, so that others find room


class BodyRefused(UserError):
    """Refuse a request for its body, the rest of which is not read."""

    def __init__(self, status: int, text: str, *, code: str, hint: str) -> None:
        super().__init__(text, code=code, hint=hint)
        self.status = status


class Bodies:
    """Read bodies, and count what is on its way."""

    def __init__(self) -> None:
        self._awaited: Counter[str] = Counter()  # bytes by network

    async def read(self, protocol: HTTPProtocol, length: int, network: str) -> bytes:
        """Return the whole body of a request.

        Args:
            length: What the request says of it.
            network: Where on the net it comes from.

        Raises:
            BodyRefused: It is too long, comes too slowly, or ends early.
        """
        with self._counted(length, network):
            try:
                async with asyncio.timeout(FIRST_SECONDS + length / LEAST_RATE):
                    body = await protocol()
            except TimeoutError:
                raise BodyRefused(
                    408,
                    f"A request body of {length:,} bytes was not received in time.",
                    code="too-slow",
                    hint="Send it again over a faster connection.",
                ) from None
            except (ProtocolClosed, ProtocolError):
                body = b""  # nobody is there any more
        if len(body) != length:  # a part of a form is no form
            raise BodyRefused(
                400, "The request is incomplete.", code="cut-short", hint="Send it again."
            )
        return body

    @contextmanager
    def _counted(self, length: int, network: str) -> Iterator[None]:
        is_too_much = self._awaited[network] + length > MAX_FROM_ONE_NETWORK
        if is_too_much or self._awaited.total() + length > MAX_AWAITED:
            raise BodyRefused(
                503,
                "Too many requests are being received at once.",
                code="too-many-requests",
                hint="Send it again in a minute.",
            )
        self._awaited[network] += length
        try:
            yield
        finally:
            self._awaited[network] -= length
            if not self._awaited[network]:
                del self._awaited[network]


def length_of(environ: WSGIEnvironment, longest: int) -> int:
    """Return how many bytes of a body a request announces.

    Raises:
        BodyRefused: They are too many, or it does not say how many.
    """
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise BodyRefused(
            411,
            "A request must declare the length of its body.",
            code="length-required",
            hint="Content-Length: 27, instead of Transfer-Encoding: chunked.",
        )
    header = str(environ.get("CONTENT_LENGTH") or "0")
    length = int(header) if header.isdecimal() and len(header) < 20 else longest + 1
    if length > longest:
        raise BodyRefused(
            413,
            f"A request body may have at most {longest:,} bytes; this one has {header[:20]}.",
            code="body-too-large",
            hint="Split it into several requests.",
        )
    return length
