"""The network of tests: connections that end at the API in this very process."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from email.message import Message

from django.test import Client


class Connection:
    """Stand where `http.client.HTTPConnection` stands; nothing else of the client is replaced."""

    def __init__(self, host: str, port: int, timeout: float) -> None:
        self._client = Client()

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}
    ) -> None:
        kind = headers.get("Content-Type", "application/json")
        rest = {name: value for name, value in headers.items() if name != "Content-Type"}
        answer = self._client.generic(method, path, body or b"", kind, headers=rest)
        self._answer = Answer(answer.status_code, dict(answer.items()), bytes(answer.getvalue()))

    def getresponse(self) -> Answer:
        return self._answer

    def close(self) -> None:
        """Nothing is open."""


class Answer:
    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status = status
        self.headers = Message()
        for name, value in headers.items():
            self.headers[name] = value
        self._body = io.BytesIO(body)

    def read(self, most: int) -> bytes:
        return self._body.read(most)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)
