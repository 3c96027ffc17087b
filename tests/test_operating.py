"""The files of docs/operating.md are ones that would start, and Postfix does what they promise."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import smtplib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner

import golden
from fences import fences
from postfix import HOST, NO_POSTFIX, reply_to_recipient, running_postfix
from processes.conftest import DOMAIN, Relay, Server, await_true
from sarsen.server.command import main
from sarsen.server.commands.configuration import FILES as FILES_OF_SETUP
from sarsen.server.commands.configuration import file_text

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
FILES = {
    fence.info.partition(" ")[2]: fence.text
    for fence in fences(PAGE)
    if fence.info.startswith(("ini ", "yaml "))
}
UNITS = [name for name in FILES if not name.endswith(".yaml")]
# What a unit of a known kind may say; systemd only warns of a word that it does not know.
KNOWN = {
    "Unit": {"Description", "After", "Wants"},
    "Service": {
        *("Type", "User", "WorkingDirectory", "Environment", "EnvironmentFile", "ExecStart"),
        *("StateDirectory", "StateDirectoryMode", "ReadWritePaths", "Restart", "RestartSec"),
        *("TimeoutStartSec", "TimeoutStopSec", "MemoryHigh", "MemoryMax"),
        *("NoNewPrivileges", "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices"),
        *("ProtectControlGroups", "ProtectKernelTunables", "ProtectKernelModules"),
        *("RestrictAddressFamilies", "RestrictNamespaces", "RestrictSUIDSGID", "UMask"),
        *("LockPersonality", "CapabilityBoundingSet", "SystemCallArchitectures"),
    },
    "Timer": {"OnCalendar", "RandomizedDelaySec", "Persistent"},
    "Install": {"WantedBy"},
}


def unit(name: str) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(FILES[name])
    return parser


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(FILES["compose.yaml"])
    return read


def check_sarsen(words: list[str]) -> None:
    """Refuse words that the command would not understand, without doing what they say."""
    assert Path(words[0]).name == "sarsen"
    group = click.Context(main, info_name="sarsen")
    _, command, rest = main.resolve_command(group, words[1:])
    assert command is not None
    assert command.name == words[1]
    command.make_context(words[1], rest)


def test_the_page_quotes_what_setup_prints() -> None:
    assert golden.operating_page() == PAGE, "run `make docs`"
    for what, name in FILES_OF_SETUP.items():
        printed = CliRunner().invoke(main, ["setup", "--print", what])
        (quoted,) = [fence.text for fence in fences(PAGE) if fence.info.endswith(f" {name}")]
        assert printed.output == quoted + "\n"
        own = CliRunner().invoke(main, ["setup", "--print", what, "--domain", "go.example.com"])
        assert own.output == printed.output.replace("play.example.org", "go.example.com")


def test_every_file_of_the_page_is_looked_at() -> None:
    assert set(FILES) == {
        *("sarsen.service", "sarsen@.service", "sarsen-backup.service", "sarsen-backup.timer"),
        "compose.yaml",
    }


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_says_only_what_systemd_knows(name: str) -> None:
    for section in unit(name).sections():
        assert set(unit(name)[section]) <= KNOWN[section]


@pytest.mark.parametrize("name", ["sarsen.service", "sarsen-backup.service"])
def test_what_a_unit_starts_is_a_command(name: str) -> None:
    check_sarsen(shlex.split(unit(name)["Service"]["ExecStart"]))


@pytest.mark.parametrize("instance", ["web", "listen", "work", "think"])
def test_each_instance_of_the_template_starts_a_process(instance: str) -> None:
    places = dict(re.findall(r'^Environment="?(\w+)=([^"\n]*)', FILES["sarsen@.service"], re.M))
    shell, dash_c, script = shlex.split(unit("sarsen@.service")["Service"]["ExecStart"])
    assert (shell, dash_c) == ("/bin/sh", "-c")
    words = script.replace("$%i", places.get(instance, "")).replace("%i", instance)
    check_sarsen(shlex.split(words.removeprefix("exec ")))


def test_systemd_itself_takes_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed here")
    for name, text in FILES.items():
        if name in UNITS:
            # The program is not installed there; everything else is looked at.
            told = re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", text, flags=re.M)
            (tmp_path / name.replace("@", "@web")).write_text(told, encoding="utf-8")
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    checked = subprocess.run(
        ["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False
    )
    assert not [line for line in checked.stderr.splitlines() if "sarsen" in line]


def test_compose_starts_every_process_after_the_tables_are_made() -> None:
    services = compose()["services"]
    started = {name: services[name].get("command", "") for name in services}
    for name, line in started.items():
        if name != "database":
            check_sarsen(shlex.split(line))
            waited = services[name]["depends_on"]
            assert set(waited) == ({"database"} if name == "migrate" else {"migrate"})
    assert {shlex.split(line)[1] for line in started.values() if line} == {
        *("migrate", "web", "listen", "work", "think")
    }


def test_compose_opens_no_port_to_the_world_and_holds_no_secret() -> None:
    for service in compose()["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert set(re.findall(r"PASSWORD: *(\S+)", FILES["compose.yaml"])) == {"${POSTGRES_PASSWORD}"}


def test_compose_takes_no_image_that_may_change_by_itself(tmp_path: Path) -> None:
    used = re.findall(r"(?:FROM|image:) *(\S+?):\?", FILES["compose.yaml"])
    assert used == ["${PYTHON_IMAGE", "${POSTGRES_IMAGE"]
    docker = tmp_path / "docker"
    docker.write_text("#!/bin/sh\necho sha256:of-$4\n")
    docker.chmod(0o755)
    lines = re.search(r"^    (for image in .*\n.* > \.env)$", PAGE, re.MULTILINE)
    assert lines is not None
    path = f"{tmp_path}:{os.environ['PATH']}"
    subprocess.run(["sh", "-c", lines[1]], cwd=tmp_path, env={"PATH": path}, check=True)
    assert (tmp_path / ".env").read_text().splitlines() == [
        "PYTHON_IMAGE=python:3.13-slim@sha256:of-python:3.13-slim",
        "POSTGRES_IMAGE=postgres:17@sha256:of-postgres:17",
    ]


def test_every_variable_of_the_page_is_read_somewhere() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src/sarsen").rglob("*.py")
    )
    named = set(re.findall(r"\bSARSEN_[A-Z_]+[A-Z]\b", PAGE))
    assert not {name for name in named if f'"{name}"' not in source}


@pytest.mark.skipif(bool(NO_POSTFIX), reason=NO_POSTFIX)
def test_postfix_asks_again_within_seconds_after_a_host_was_away(tmp_path: Path) -> None:
    (tmp_path / "main.cf").write_text(file_text("postfix"))
    names = [f"address_verify_negative_{kind}_time" for kind in ("expire", "refresh")]
    words = ["postconf", "-c", str(tmp_path), "-h", "-x", *names]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["5s", "5s"]  # by itself it says 3d and 3h


@pytest.mark.ci
@pytest.mark.skipif(bool(NO_POSTFIX), reason=NO_POSTFIX)
def test_postfix_takes_mail_again_after_a_restart_and_turns_to_the_other_of_two_hosts(
    tmp_path: Path,
) -> None:
    hosts = [Server(tmp_path / name, Relay()) for name in ("a", "b")]
    lmtp = ", ".join(f"{HOST}:{host.lmtp}" for host in hosts)
    with running_postfix(lmtp, relay=9) as port:
        # All is down: a letter's own address, which nobody has asked for before, has to wait.
        assert reply_to_recipient(port, "sarsen+1") == 450
        with listening(hosts[0]):
            await_true(lambda: reply_to_recipient(port, "sarsen+1") == 250, "450 for hours")
            await_true(lambda: reply_to_recipient(port, "nobody") == 550, "forged, but not refused")
        with listening(hosts[1]):
            await_true(lambda: reply_to_recipient(port, "sarsen+2") == 250, "not the other host")
            with smtplib.SMTP(HOST, port) as session:
                mail = f"To: sarsen+2@{DOMAIN}\nSubject: help\n\n"
                session.sendmail("eve@eve.example", f"sarsen+2@{DOMAIN}", mail)
            await_true(lambda: stored_mails(hosts[1]) == 1, "the mail was not stored")
        assert stored_mails(hosts[0]) == 0


@contextmanager
def listening(server: Server) -> Iterator[None]:
    """Run the listener alone."""
    ports = [f"{HOST}:{port}" for port in (server.smtp, server.lmtp)]
    words = [sys.executable, "-m", "sarsen", "listen", *ports]
    process = subprocess.Popen(words, env=server.environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait(120)


def stored_mails(server: Server) -> int:
    with closing(sqlite3.connect(server.data / "sarsen.sqlite3")) as database:
        (count,) = database.execute("SELECT COUNT(*) FROM storage_inboundmail").fetchone()
    return int(count)
