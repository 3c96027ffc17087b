"""What a door is made of, alone: aiosmtpd that keeps nothing, a page of the framework.

Runs as processes of their own: `python -m bench.load.alone smtp|page PORT`; they end when
they are told to.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from bench.client import Session
from bench.server import free_port

SENDER = "ann@players.example"
OPENS_WITHIN = 20.0  # seconds


@contextlib.asynccontextmanager
async def running(what: str) -> AsyncIterator[int]:
    """Run one of them until the block ends; give its port."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.load.alone", what, str(port)])
    try:
        await _await_open(port)
        yield port
    finally:
        process.terminate()
        process.wait()


async def _await_open(port: int) -> None:
    limit = time.monotonic() + OPENS_WITHIN
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            if time.monotonic() > limit:
                raise
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


async def message_rate(
    port: int, recipient: str, message: bytes, connections: int, seconds: float
) -> float:
    """Return how many messages a second are accepted over so many sessions."""
    sessions = [await Session.open(port) for _ in range(connections)]
    began = time.monotonic()

    async def send(session: Session) -> int:
        sent = 0
        while time.monotonic() < began + seconds:
            await session.send(SENDER, recipient, message)
            sent += 1
        return sent

    sent = await asyncio.gather(*(send(session) for session in sessions))
    rate = sum(sent) / (time.monotonic() - began)
    for session in sessions:
        await session.close()
    return rate


class _Forgetting:
    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: object, session: object, envelope: object
    ) -> str:
        return "250 OK"


async def _serve_smtp(port: int) -> None:
    from aiosmtpd.smtp import SMTP

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(_Forgetting(), loop=loop, hostname="alone.example"), "127.0.0.1", port
    )
    await server.serve_forever()


def page() -> Callable[[dict[str, Any], Callable[..., Any]], Sequence[bytes]]:
    """Make a web application of one page, with nothing around it."""
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpRequest, HttpResponse
    from django.urls import path

    def show(request: HttpRequest) -> HttpResponse:
        answer = HttpResponse("ok\n", content_type="text/plain")
        answer["Content-Length"] = str(len(answer.content))
        return answer

    urls = type("Urls", (), {"urlpatterns": [path("", show)]})
    settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=urls, SECRET_KEY="of a bench")
    return get_wsgi_application()  # type: ignore[return-value]


def _serve_page(port: int) -> None:
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    Granian(
        "bench.load.alone:application",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.WSGI,
        workers=1,
        log_level=LogLevels.error,
    ).serve()


def __getattr__(name: str) -> Any:
    # Made only in the process that serves it.
    if name == "application":
        return page()
    raise AttributeError(name)


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m bench.load.alone", description=__doc__)
    options.add_argument("what", choices=("smtp", "page"))
    options.add_argument("port", type=int)
    asked = options.parse_args()
    if asked.what == "smtp":
        asyncio.run(_serve_smtp(asked.port))
    else:
        _serve_page(asked.port)
