"""The page about the terminal, typed into a real shell against a real server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from fences import fences
from processes.conftest import PATIENCE, Server, text_of
from processes.test_api import joined
from sarsen.client import Client
from sarsen.server.command import SECTIONS, _load

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
ADDRESS = "https://play.example.org"


class Shell:
    """Somebody's shell, with its own settings."""

    def __init__(self, server: Server, home: Path) -> None:
        self.url = f"http://127.0.0.1:{server.http}"
        kept = {name: one for name, one in os.environ.items() if "SARSEN" not in name}
        kept.pop("DATABASE_URL", None)
        binaries = Path(sys.executable).parent
        path = f"{binaries}{os.pathsep}{kept['PATH']}"
        self.environment = kept | {"XDG_CONFIG_HOME": str(home), "PATH": path}

    def run(self, line: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        words = [
            "bash",
            "-c",
            line.replace(ADDRESS, self.url).replace("play.example.org", self.url),
        ]
        return subprocess.run(
            words,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )


def said_by(one: subprocess.CompletedProcess[str], url: str) -> str:
    return (one.stdout + one.stderr).replace(url, ADDRESS).strip()


# It has a server to itself, whose first board is its own; test_every_door goes this way each time.
@pytest.mark.slow
def test_the_page_of_the_terminal_holds_from_login_to_logout(
    server: Server, tmp_path: Path
) -> None:
    server.join("ann")
    server.join("bob")
    shell = Shell(server, tmp_path)
    Client(shell.url).line("autoaccept bob secret-bob anyone")
    asked = subprocess.Popen(
        [sys.executable, "-m", "sarsen", "login", shell.url],
        env=shell.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert asked.stdin is not None
    asked.stdin.write("ann\n")
    asked.stdin.flush()
    found = re.search(r"\b(\d{8})\b", text_of(server.next_letter("ann@ann.example")))
    assert found
    out, _ = asked.communicate(f"11111111\n{found[1]}\n", timeout=PATIENCE)
    assert out == f"You are logged in at {shell.url} as ann.\n"
    (kept,) = (tmp_path / "sarsen").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    token = json.loads(kept.read_text("utf-8"))["servers"][0]["token"]
    assert set(Client(shell.url, token).account().scopes) == {"read", "play", "chat", "account"}

    (session,) = [one for one in fences(PAGE.read_text("utf-8")) if one.info == "console"]
    for part in re.split(r"^\$ ", session.text, flags=re.M)[1:]:
        line, _, shown = part.partition("\n")
        pattern = re.escape(shown.strip()).replace("…", "(?s:.*)")
        said = said_by(shell.run(line), shell.url)
        assert re.fullmatch(pattern, said), f"{line}:\n{said}"

    ended = shell.run(f"sarsen account --server {shell.url}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert f"sarsen login {shell.url}" in ended.stderr
    again = shell.run(f"sarsen login {shell.url} --token", typed=f"{token}\n")
    assert again.returncode == 2
    assert "[unknown-token]" in again.stderr
    assert shell.run(f"sarsen list --server {shell.url}").stdout.startswith("Games\n")


@pytest.mark.ci
def test_logout_revokes_a_token_that_was_pasted_at_login(
    shared_server: Server, tmp_path: Path
) -> None:
    pasted = joined(shared_server, "tess")._transport.token
    shell = Shell(shared_server, tmp_path)
    assert shell.run(f"sarsen login {shell.url} --token", typed=f"{pasted}\n").returncode == 0
    ended = shell.run("sarsen logout")
    assert (ended.returncode, ended.stderr) == (0, "")
    again = shell.run(f"sarsen login {shell.url} --token", typed=f"{pasted}\n")
    assert "[unknown-token]" in again.stderr


def test_help_loads_no_command() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "sarsen", "--help"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {name for name in loaded if name.startswith("sarsen.server.")} == {
        "sarsen.server.command"
    }
    assert not loaded & {"django", "structlog", "sarsen.games", "sarsen.language", "rich"}


def test_help_says_of_every_command_what_it_is_for() -> None:
    for name, (place, summary) in chain(*(section.items() for section in SECTIONS.values())):
        assert _load(place).name == name
        assert 10 < len(summary) <= 60
        assert summary.endswith(".")
