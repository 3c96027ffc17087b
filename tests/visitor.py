"""Somebody at a browser: reads pages, fills in their forms, presses their buttons.

Forms are sent as a browser would: only with the fields they have, and with the tokens
that stand in them.
"""

from __future__ import annotations

import re
from typing import Any

from django.test import Client
from lxml import html

from sarsen.storage.models import Player


class Visitor:
    """One browser, with or without a session."""

    def __init__(self, player: Player | None = None) -> None:
        self.client = Client(
            enforce_csrf_checks=True, SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1"
        )
        if player is not None:
            self.client.force_login(player)
        self.path = "/"
        self.status = 0
        self.page = ""

    def go(self, path: str) -> str:
        """Open a page, and give its text."""
        self._take(self.client.get(path, follow=True), path)
        return self.text

    @property
    def text(self) -> str:
        """The words of the page's main part."""
        return " ".join(self.tree.xpath("string(//main)").split())

    @property
    def tree(self) -> Any:
        return html.fromstring(self.page)

    def press(self, button: str, **filled: str | list[str]) -> str:
        """Fill fields by their labels' ids, press a button by its words; give the next page."""
        self.last = self.filled(button, **filled)
        form, _ = self._form_of(button)
        return self.send(*self.last, method=form.get("method", "get"))

    def filled(self, button: str, **filled: str | list[str]) -> tuple[str, list[tuple[str, str]]]:
        """Return the address and the fields that a button would send."""
        form, pressed = self._form_of(button)
        fields = self._fields(form, filled)
        if pressed.get("name"):
            fields.append((pressed.get("name"), pressed.get("value", "")))
        return form.get("action") or self.path, fields

    def send(self, path: str, fields: list[tuple[str, str]], *, method: str = "post") -> str:
        """Send fields to an address; the same again is a double click."""
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        call = self.client.post if method == "post" else self.client.get
        self._take(call(path, data, follow=True), path)
        return self.text

    def type(self, line: str, body: str = "") -> str:
        """Type a command into the box."""
        self.go("/do/")
        return self.press("Run", line=line, body=body)

    def _take(self, response: Any, path: str) -> None:
        self.status = response.status_code
        self.page = response.getvalue().decode(errors="replace")
        self.path = response.request["PATH_INFO"]

    def _form_of(self, words: str) -> tuple[Any, Any]:
        for button in self.tree.xpath("//form//button"):
            if re.sub(r"\s+", " ", button.text_content()).strip() == words:
                return button.xpath("ancestor::form")[0], button
        raise AssertionError(f"no button {words!r} on {self.path}: {self.text}")

    def _fields(self, form: Any, filled: dict[str, Any]) -> list[tuple[str, str]]:
        left = dict(filled)
        fields = []
        for field in form.xpath(".//input|.//textarea|.//select"):
            key = field.get("id", "").replace("-", "_")
            value = left.pop(key, None)
            if value is None:
                value = _standing(field)
            if value is not None and field.get("name"):
                fields.append((field.get("name"), str(value)))
        assert not left, f"no fields {sorted(left)} beside that button on {self.path}"
        return fields


def _standing(field: Any) -> str | None:
    """Return what a field holds that nobody has touched; None where it sends nothing."""
    if field.tag == "textarea":
        return str(field.text or "")
    if field.tag == "select":
        chosen = field.xpath("./option[@selected]") or field.xpath("./option[1]")
        value = chosen[0].get("value")
        return str(chosen[0].text_content() if value is None else value)
    if field.get("type") in ("checkbox", "radio"):
        return str(field.get("value", "on")) if field.get("checked") is not None else None
    return str(field.get("value", ""))


def who(visitor: Visitor) -> str:
    """Return the name of the player that the front page knows; "" for none."""
    visitor.go("/")
    return str(
        visitor.tree.xpath(
            "normalize-space(//details[@class='who'][.//a[@href='/account/']]/summary)"
        )
    )
