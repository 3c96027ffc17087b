"""What a browser is told when a proxy with a certificate stands in front."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from databases import copy_migrated_file
from sarsen.server.environment import is_local

ASKING = """
import json
from sarsen.server.setup import set_up
set_up()
from django.test import Client
plain = Client(SERVER_NAME="play.example.org").get("/login/")
near = Client(SERVER_NAME="play.example.org", HTTP_X_FORWARDED_PROTO="https")
bare = Client(SERVER_NAME="127.0.0.1", REMOTE_ADDR="127.0.0.1")  # as a proxy that adds nothing
page = near.get("/login/")
print(json.dumps({
    "plain": plain.get("Strict-Transport-Security", ""),
    "mail": bare.get("/mail/").status_code,
    "safe": page.get("Strict-Transport-Security", ""),
    "cookies": {
        name: [one["secure"], one["samesite"], one["path"], one["domain"]]
        for name, one in page.cookies.items()
    },
    "features": page["Permissions-Policy"],
}))
"""


def told_at(tmp_path: Path, **more: str) -> dict[str, Any]:
    """Ask a server with a public address, as different proxies do."""
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    kept |= {"SARSEN_DATA": str(tmp_path), "SARSEN_URL": "https://play.example.org"}
    kept |= {"SARSEN_BOTS": "off", "SARSEN_LOG_LEVEL": "ERROR"}
    kept |= more
    kept.pop("DATABASE_URL", None)
    tmp_path.mkdir(exist_ok=True)
    copy_migrated_file(tmp_path / "sarsen.sqlite3")
    asked = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ASKING], env=kept, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    told: dict[str, Any] = json.loads(asked.stdout)
    return told


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Ask once a server that has no more than an https address."""
    return told_at(tmp_path_factory.mktemp("closed"))


@pytest.mark.ci
def test_caught_mail_is_closed_behind_a_proxy_that_adds_no_header(
    told: dict[str, Any], tmp_path: Path
) -> None:
    assert told["mail"] == 404
    plain = {"SARSEN_URL": "http://play.example.org"}
    assert told_at(tmp_path / "plain", **plain)["mail"] == 404
    assert told_at(tmp_path / "open", SARSEN_SHOW_MAIL="on")["mail"] == 200


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://localhost:8000", True),
        ("https://sarsen.localhost", True),
        ("http://192.168.1.5:8000", False),
        ("https://play.example.org", False),
        ("https://localhost.example.org", False),
    ],
)
def test_an_address_is_local_where_only_this_machine_finds_it(url: str, local: bool) -> None:
    assert is_local(url) is local


@pytest.mark.ci
def test_pages_stay_encrypted_once_they_were(told: dict[str, Any]) -> None:
    assert told["plain"] == ""  # on an open line the word would mean nothing
    assert told["safe"].startswith("max-age=31536000")
    assert told["cookies"] == {"__Host-csrftoken": [True, "Lax", "/", ""]}
    assert "camera=()" in told["features"].split(", ")
