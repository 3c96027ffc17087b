"""A request that asks for another server is the caller's mistake, and one line of the log."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
OTHERS = ("other.example", "<script>", "", "sarsen.test:x", "a" * 300)


@pytest.fixture
def near() -> Client:
    """Return a browser on this machine, which might read caught mail."""
    return Client(REMOTE_ADDR="127.0.0.1")


@pytest.mark.parametrize("host", OTHERS)
def test_another_name_is_a_bad_request_at_every_door(
    near: Client, settings: Any, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["sarsen.test"]
    for path in ("/", "/boards/1/", "/login/"):
        page = near.get(path, headers={"host": host})
        assert page.status_code == 400, path
        assert "Bad request" in page.content.decode()
    found = near.get("/api/v1/games", headers={"host": host})
    assert found.status_code == 400
    assert found["Content-Type"] == "application/problem+json"
    assert found.json()["code"] == "request"


def test_it_is_one_line_of_the_log_without_a_trace(near: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["sarsen.test"]
    (ours,) = [one for one in logging.getLogger().handlers if one.filters]
    assert isinstance(ours, logging.StreamHandler)
    written = io.StringIO()
    before = ours.setStream(written)
    try:
        near.get("/", headers={"host": "other.example\x1b[31m"})
    finally:
        ours.setStream(before)
    (line,) = written.getvalue().splitlines()
    told = json.loads(line)
    assert told["level"] == "warning"
    assert "other.example" in told["event"]
    assert "exception" not in told
    assert "\x1b" not in line
