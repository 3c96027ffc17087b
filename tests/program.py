"""A program that calls the API, as if over the network."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client
from django.utils import timezone

from sarsen.services.accounts import tokens
from sarsen.storage.models import Player


class Program:
    """One program, with or without a token."""

    def __init__(self, player: Player | None, scopes: list[str]) -> None:
        self.client = Client(SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1")
        self.token = ""
        if player is not None:
            self.token = tokens.make(player, "tests", scopes, timezone.now()).secret
        self.status = 0
        self.headers: Any = {}
        self.body = b""

    def get(self, path: str, **headers: str) -> Any:
        return self._take(self.client.get(self._full(path), headers=self._headers(headers)))

    def post(self, path: str, asked: Any = None, **headers: str) -> Any:
        return self.send("post", path, asked, **headers)

    def send(self, method: str, path: str, asked: Any = None, **headers: str) -> Any:
        call = getattr(self.client, method)
        text = asked if isinstance(asked, str | bytes) else json.dumps(asked or {})
        found = call(
            self._full(path), text, content_type="application/json", headers=self._headers(headers)
        )
        return self._take(found)

    @property
    def code(self) -> str:
        """The code of the last refusal."""
        return str(json.loads(self.body)["code"])

    def line(self, line: str, body: str = "") -> Any:
        return self.post("line", {"line": line, "body": body})

    def _full(self, path: str) -> str:
        return path if path.startswith("/") else f"/api/v1/{path}"

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return ({"Authorization": f"Bearer {self.token}"} if self.token else {}) | named

    def _take(self, response: Any) -> Any:
        self.status, self.headers = response.status_code, response.headers
        self.body = response.getvalue()
        kind = str(response.headers.get("Content-Type", "")).partition(";")[0]
        is_json = kind in ("application/json", "application/problem+json")
        return json.loads(self.body) if is_json and self.body else self.body.decode()
