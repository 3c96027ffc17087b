"""Commands that need no server, as a shell starts them: no test has set Django up for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RECORD = Path(__file__).parents[2] / "docs" / "records" / "druid.txt"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["dkim-key", "key.pem", "--domain", "play.example"], "sarsen._domainkey.play.example"),
        (["verify", str(RECORD)], "1 of 1 are valid."),
        (["push-key"], "SARSEN_PUSH_KEY="),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_a_command_works_in_a_folder_without_a_server_and_makes_none(
    words: list[str], says: str, tmp_path: Path
) -> None:
    own = ("DJANGO_", "SARSEN_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    done = subprocess.run(
        [sys.executable, "-m", "sarsen", *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert says in done.stdout
    assert {file.name for file in tmp_path.iterdir()} <= {"key.pem"}
