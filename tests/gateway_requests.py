"""Requests to a gateway as Granian hands them over, for tests."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from sarsen.server.gateway import Gateway
from sarsen.server.long_polls import LongPolls

PATIENCE = 120  # seconds, and none of them is waited for
LONGEST = 300_000


@dataclass
class Headers:
    found: dict[str, str]

    def items(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self.found.items() if value.isascii()]

    def keys(self) -> list[str]:
        return list(self.found)


@dataclass
class Scope:
    """What Granian tells of a request."""

    headers: Headers
    method: str = "POST"
    path: str = "/"
    client: str = "192.0.2.1:4000"
    query_string: str = ""
    http_version: str = "1.1"
    server: str = "127.0.0.1:8000"
    scheme: str = "http"


@dataclass
class Client:
    """Stand for Granian's side of one request."""

    come: Callable[[], Awaitable[bytes]]
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    is_gone: bool = False
    stays: float = math.inf  # seconds until it closes its connection

    async def client_disconnect(self) -> None:
        if math.isinf(self.stays):
            await asyncio.Event().wait()
        await asyncio.sleep(self.stays)

    async def __call__(self) -> bytes:
        return await self.come()

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.response_bytes(status, headers, b"")

    def response_stream(self, status: int, headers: list[tuple[str, str]]) -> Client:
        self.response_bytes(status, headers, b"")
        return self

    async def send_bytes(self, piece: bytes) -> None:
        from granian.rsgi import ProtocolClosed  # type: ignore[attr-defined]

        if self.is_gone:
            raise ProtocolClosed
        self.body += piece


def gateway(
    application: WSGIApplication, threads: int = 1, polls: LongPolls | None = None
) -> Gateway:
    return Gateway(
        application,
        threads=threads,
        quick=("/health/",),
        streams=2,
        longest_body=LONGEST,
        network=lambda environ: str(environ["REMOTE_ADDR"]),
        proof=lambda environ: str(environ.get("HTTP_COOKIE", "")),
        polls=polls,
    )


async def ask(
    asked: Gateway,
    body: bytes = b"",
    *,
    come: Callable[[], Awaitable[bytes]] | None = None,
    length: int | None = None,
    headers: dict[str, str] | None = None,
    **scope: Any,
) -> Client:
    async def at_once() -> bytes:
        return body

    size = len(body) if length is None else length
    found = {"content-length": str(size)} | (headers or {})
    client = Client(come or at_once, is_gone=scope.pop("is_gone", False))
    await asked.__rsgi__(Scope(Headers(found), **scope), client)
    return client


def echo(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    start("200 OK", [])
    return [environ["wsgi.input"].read()]


async def run_out_of_time() -> bytes:
    raise TimeoutError
