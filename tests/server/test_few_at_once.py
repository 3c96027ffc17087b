"""A few requests are answered at once, and nobody who sends slowly takes a place from them."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from sarsen.server import few_at_once as module
from sarsen.server.few_at_once import LONGEST_BODY

PATIENCE = 30  # seconds, and none of them is waited for


class Heard:
    """What a server does for an application: it keeps the status."""

    status = ""

    def __call__(self, status: str, *_: Any) -> Any:
        self.status = status


def asked(application: WSGIApplication, body: bytes = b"", **more: Any) -> tuple[str, bytes]:
    heard = Heard()
    environ = {"CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)} | more
    answer = b"".join(application(environ, heard))
    return heard.status, answer


def few_at_once(application: WSGIApplication, most: int, unsent: int = 4) -> WSGIApplication:
    def place(environ: WSGIEnvironment) -> str:
        return str(environ.get("REMOTE_ADDR", ""))

    return module.few_at_once(application, most, unsent=unsent, place=place)


def echo(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    start("200 OK", [])
    return [environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))]


def test_no_more_than_a_few_are_answered_at_once_and_all_of_them_are() -> None:
    inside, may_end, most = threading.Semaphore(0), threading.Event(), []

    def slow(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        most.append(sum(one.name.startswith("pages") for one in threading.enumerate()))
        inside.release()
        assert may_end.wait(PATIENCE)
        return echo(environ, start)

    application = few_at_once(slow, 2)
    with ThreadPoolExecutor(12) as clients:
        answers = [clients.submit(asked, application, b"x") for _ in range(12)]
        for _ in range(2):
            assert inside.acquire(timeout=PATIENCE)
        assert len(most) == 2
        may_end.set()
        assert [answer.result(PATIENCE) for answer in answers] == [("200 OK", b"x")] * 12
    assert max(most) == 2


def test_who_sends_slowly_takes_no_place() -> None:
    sent, is_read = threading.Event(), threading.Event()

    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            is_read.set()
            assert sent.wait(PATIENCE)
            return super().read(size)

    application = few_at_once(echo, 1)
    with ThreadPoolExecutor(1) as client:
        slow = {"CONTENT_LENGTH": "4", "wsgi.input": Slow(b"slow")}
        late = client.submit(asked, application, **slow)
        assert is_read.wait(PATIENCE)
        assert asked(application, b"quick") == ("200 OK", b"quick")
        sent.set()
        assert late.result(PATIENCE) == ("200 OK", b"slow")


def test_one_place_that_sends_slowly_holds_few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    sent, is_read = threading.Event(), threading.Semaphore(0)

    class Slow(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            is_read.release()
            assert sent.wait(PATIENCE)
            return super().read(size)

    application = few_at_once(echo, 1, unsent=2)

    def slow() -> tuple[str, bytes]:
        return asked(
            application, CONTENT_LENGTH="4", REMOTE_ADDR="::1", **{"wsgi.input": Slow(b"slow")}
        )

    with ThreadPoolExecutor(3) as clients:
        late = [clients.submit(slow) for _ in range(2)]
        assert all(is_read.acquire(timeout=PATIENCE) for _ in late)
        assert slow() == ("503 Service Unavailable", b"")
        assert asked(application, REMOTE_ADDR="::1") == ("200 OK", b"")  # it has no body
        other = asked(application, b"quick", REMOTE_ADDR="192.0.2.7")
        sent.set()
        assert other == ("200 OK", b"quick")
        assert [one.result(PATIENCE) for one in late] == [("200 OK", b"slow")] * 2
    assert slow() == ("200 OK", b"slow")


def test_part_of_a_body_reaches_no_page() -> None:
    application = few_at_once(echo, 1)
    assert asked(application, b"line=resign", CONTENT_LENGTH="30") == ("400 Bad Request", b"")


@pytest.mark.parametrize("length", ["", "0", "-1", "1e3", "9" * 40, str(LONGEST_BODY + 1)])
def test_body_without_a_length_or_too_long_is_left_to_the_page(length: str) -> None:
    body = BytesIO(b"unread")

    def looking(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [])
        return [b"same" if environ["wsgi.input"] is body else b"other"]

    found = asked(few_at_once(looking, 1), CONTENT_LENGTH=length, **{"wsgi.input": body})
    assert found == ("200 OK", b"same")


def test_what_an_application_raises_is_raised() -> None:
    def broken(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        raise KeyError("a defect")

    with pytest.raises(KeyError, match="a defect"):
        asked(few_at_once(broken, 1))
