"""What a browser is told when a proxy with a certificate stands in front."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ASKING = """
import json
from sarsen.server.setup import set_up
set_up()
from django.test import Client
plain = Client(SERVER_NAME="play.example.org").get("/login/")
near = Client(SERVER_NAME="play.example.org", HTTP_X_FORWARDED_PROTO="https")
page = near.get("/login/")
print(json.dumps({
    "plain": plain.get("Strict-Transport-Security", ""),
    "safe": page.get("Strict-Transport-Security", ""),
    "cookies": {name: [one["secure"], one["samesite"]] for name, one in page.cookies.items()},
}))
"""


def test_pages_stay_encrypted_once_they_were(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    kept |= {"SARSEN_DATA": str(tmp_path), "SARSEN_URL": "https://play.example.org"}
    kept |= {"SARSEN_BOTS": "off", "SARSEN_LOG_LEVEL": "ERROR"}
    kept.pop("DATABASE_URL", None)
    asked = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ASKING], env=kept, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    told = json.loads(asked.stdout)
    assert told["plain"] == ""  # on an open line the word would mean nothing
    assert told["safe"].startswith("max-age=31536000")
    assert told["cookies"]["csrftoken"] == [True, "Lax"]
