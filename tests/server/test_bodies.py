"""Bodies are read whole before a thread works on a request, and under a deadline."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from gateway_requests import LONGEST, ask, echo, gateway, run_out_of_time
from sarsen.server import bodies
from sarsen.server.bodies import MAX_FROM_ONE_NETWORK


def test_body_that_comes_slowly_holds_no_thread() -> None:
    async def main() -> None:
        asked, sent = gateway(echo), asyncio.Event()

        async def slowly() -> bytes:
            await sent.wait()
            return b"slow"

        late = asyncio.create_task(ask(asked, come=slowly, length=4))
        assert (await ask(asked, b"quick")).body == b"quick"
        sent.set()
        assert (await late).body == b"slow"

    asyncio.run(main())


def test_one_place_sends_only_so_much_at_once() -> None:
    async def main() -> None:
        asked, sent, begun = gateway(echo), asyncio.Event(), asyncio.Semaphore(0)

        async def slowly() -> bytes:
            begun.release()
            await sent.wait()
            return b"x" * LONGEST

        most = MAX_FROM_ONE_NETWORK // LONGEST
        late = [asyncio.create_task(ask(asked, come=slowly, length=LONGEST)) for _ in range(most)]
        for _ in range(most):
            await begun.acquire()
        assert (await ask(asked, b"x" * LONGEST)).status == 503
        assert (await ask(asked)).status == 200  # without a body
        assert (await ask(asked, b"quick", client="192.0.2.2:1")).status == 200
        sent.set()
        assert {one.status for one in await asyncio.gather(*late)} == {200}
        assert (await ask(asked, come=slowly, length=LONGEST)).status == 200

    asyncio.run(main())


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"body": b"part", "length": 30}, 400, "cut-short"),
        ({"come": run_out_of_time, "length": 30}, 408, "too-slow"),
        ({"length": LONGEST + 1}, 413, "body-too-large"),
        ({"headers": {"content-length": "9" * 5000}}, 413, "body-too-large"),
        ({"headers": {"content-length": "-1"}}, 413, "body-too-large"),
        ({"headers": {"transfer-encoding": "chunked"}}, 411, "length-required"),
    ],
)
def test_body_that_is_not_whole_reaches_no_page(
    asked: dict[str, Any], status: int, code: str
) -> None:
    def never(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        raise AssertionError

    client = asyncio.run(ask(gateway(never), path="/api/v1/commands", **asked))
    assert client.status == status
    assert f'"code": "{code}"'.encode() in client.body
    assert ("Connection", "close") in client.headers


def test_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(bodies, "LEAST_RATE", math.inf)

    async def comes_too_late() -> bytes:
        for _ in range(10):  # turns of the loop, in the first of which the time is over
            await asyncio.sleep(0)
        return b"x"

    assert asyncio.run(ask(gateway(echo), come=comes_too_late, length=1)).status == 408
