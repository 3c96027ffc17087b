"""A gateway answers requests as WSGI applications do, and sends streams as they are made."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.test import RequestFactory

from gateway_requests import ask, echo, gateway
from sarsen.core.errors import UserError
from sarsen.doors.api.commands import request_of
from sarsen.server.gateway import UNREADABLE


def test_defect_of_an_application_is_answered() -> None:
    def broken(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        raise KeyError("a defect")

    assert asyncio.run(ask(gateway(broken))).status == 500


def told_of(*, path: str = "/", client: str = "192.0.2.1:1", **headers: str) -> WSGIEnvironment:
    """Return what an application is told of a request with a body of one byte."""
    told: WSGIEnvironment = {}

    def looking(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        told.update(environ)
        return echo(environ, start)

    asyncio.run(ask(gateway(looking), b"b", headers=headers, client=client, path=path))
    return told


def test_application_is_told_of_a_request_as_wsgi_does() -> None:
    headers = {"content-type": "text/plain", "x-forwarded-for": "a", "x_forwarded_for": "forged"}
    told = told_of(client="[2001:db8::1]:80", path="/ä b", **headers)
    assert told["PATH_INFO"].encode("latin-1").decode() == "/ä b"
    assert told["REMOTE_ADDR"] == "2001:db8::1"
    assert (told["CONTENT_TYPE"], told["CONTENT_LENGTH"]) == ("text/plain", "1")
    assert told["HTTP_X_FORWARDED_FOR"] == "a"


def test_header_that_cannot_be_read_is_not_as_if_it_had_not_been_sent() -> None:
    told = told_of(**{"idempotency-key": "ä", "authorization": "Bearer ä", "x": "a"})
    assert (told["HTTP_IDEMPOTENCY_KEY"], told["HTTP_AUTHORIZATION"]) == (UNREADABLE, UNREADABLE)
    assert told["HTTP_X"] == "a"
    with pytest.raises(UserError) as refused:
        request_of(RequestFactory().post("/", HTTP_IDEMPOTENCY_KEY=UNREADABLE), None)
    assert refused.value.code == "key-form"


class Pieces:
    """A response that is made while it is sent."""

    streaming = True
    is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield from (b"one ", b"two")

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("is_gone", [False, True], ids=["read", "not read"])
def test_stream_is_sent_as_it_is_made_and_closed_at_its_end(is_gone: bool) -> None:
    pieces = Pieces()

    def streaming(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [])
        return pieces

    client = asyncio.run(ask(gateway(streaming), is_gone=is_gone))
    assert client.body == (b"" if is_gone else b"one two")
    assert pieces.is_closed
