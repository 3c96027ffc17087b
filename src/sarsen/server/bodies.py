"""Read the bodies of requests, within bounds of size, time and memory.

No thread waits for a body: Granian gathers it while the event loop goes on.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.types import WSGIEnvironment

# As Granian documents it; its types forget to export them.
from granian.rsgi import (  # type: ignore[attr-defined]
    HTTPProtocol,
    ProtocolClosed,
    ProtocolError,
)

from sarsen.core.errors import UserError

FIRST_SECONDS = 10.0  # for any body
LEAST_RATE = 5_000  # bytes a second, for what is longer
MOST_AWAITED = 64 * 1024 * 1024  # bytes of all bodies on their way together
MOST_FROM_ONE_PLACE = 4 * 1024 * 1024  # bytes of these, from one place on the net


class BodyRefused(UserError):
    """Refuse a request for its body, the rest of which is not read."""

    def __init__(self, status: int, text: str, *, code: str, hint: str) -> None:
        super().__init__(text, code=code, hint=hint)
        self.status = status


class Bodies:
    """Read bodies, and count what is on its way."""

    def __init__(self) -> None:
        self._awaited: Counter[str] = Counter()  # bytes by place

    async def read(self, protocol: HTTPProtocol, length: int, place: str) -> bytes:
        """Return the whole body of a request.

        Args:
            length: What the request says of it.
            place: Where on the net it comes from.

        Raises:
            BodyRefused: It is too long, comes too slowly, or ends early.
        """
        with self._counted(length, place):
            try:
                async with asyncio.timeout(FIRST_SECONDS + length / LEAST_RATE):
                    body = await protocol()
            except TimeoutError:
                raise BodyRefused(
                    408,
                    f"A request of {length:,} bytes did not come in time.",
                    code="too-slow",
                    hint="Send it again, over a faster line.",
                ) from None
            except (ProtocolClosed, ProtocolError):
                body = b""  # nobody is there any more
        if len(body) != length:  # a part of a form is no form
            raise BodyRefused(
                400, "The request ended too early.", code="cut-short", hint="Send it again."
            )
        return body

    @contextmanager
    def _counted(self, length: int, place: str) -> Iterator[None]:
        is_too_much = self._awaited[place] + length > MOST_FROM_ONE_PLACE
        if is_too_much or self._awaited.total() + length > MOST_AWAITED:
            raise BodyRefused(
                503,
                "Too many requests are on their way at once.",
                code="too-many-requests",
                hint="Send it again in a minute.",
            )
        self._awaited[place] += length
        try:
            yield
        finally:
            self._awaited[place] -= length
            if not self._awaited[place]:
                del self._awaited[place]


def length_of(environ: WSGIEnvironment, longest: int) -> int:
    """Return how many bytes of a body a request announces.

    Raises:
        BodyRefused: They are too many, or it does not say how many.
    """
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise BodyRefused(
            411,
            "A request says how long its body is before it sends it.",
            code="length-required",
            hint="Content-Length: 27, in place of Transfer-Encoding: chunked.",
        )
    said = str(environ.get("CONTENT_LENGTH") or "0")
    length = int(said) if said.isdecimal() and len(said) < 20 else longest + 1
    if length > longest:
        raise BodyRefused(
            413,
            f"A request may bring {longest:,} bytes; this one has {said[:20]}.",
            code="body-too-large",
            hint="Send less at once.",
        )
    return length
