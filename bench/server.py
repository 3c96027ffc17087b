"""A real server in processes of its own, as an operator starts it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

DOMAIN = "bench.example"
TESTS = str(Path(__file__).parents[1] / "tests")
STOP_LIMIT = 30.0  # seconds
# Below those that the system gives to connections: one of these could be taken between.
PORTS = range(10_000, 32_000)


@dataclass(frozen=True)
class Server:
    """A server that is ready.

    Attributes:
        process: The id of the supervising process.
        start_seconds: From the command until it said `ready`.
    """

    process: int
    http: int
    smtp: int
    start_seconds: float


def environment(data: Path, relay: int, *, pictures: bool = False) -> dict[str, str]:
    """Return the environment of everything that works on this data folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SARSEN_")}
    for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
        kept.pop(name, None)
    return kept | {
        "SARSEN_DATA": str(data),
        "SARSEN_DOMAIN": DOMAIN,
        "SARSEN_SMTP_URL": f"smtp://127.0.0.1:{relay}",
        "SARSEN_MAIL_PICTURES": "on" if pictures else "off",
        # A bench sends what the limits are there to stop.
        "DJANGO_SETTINGS_MODULE": "settings_for_processes",  # with the constants below
        "PYTHONPATH": os.pathsep.join(filter(None, [TESTS, os.environ.get("PYTHONPATH")])),
        "OTHER_CONSTANTS": json.dumps(
            {
                # Boards are stocked by few players, who challenge each other hundreds of times.
                "sarsen.services.limits.daily.MAX_A_DAY": {"challenge": 1_000_000},
                "sarsen.server.visitors.PROCESSOR_SECONDS": 0,
                "sarsen.doors.mail.receive.listener.MAILS_FROM_ONE_SENDER": 0,
                "sarsen.doors.mail.receive.listener.MAILS_TO_ONE_BOARD": 0,
                "sarsen.server.web.CONNECTIONS_FROM_ONE_NETWORK": 4096,
                "sarsen.server.long_polls.MAX_OF_NETWORK": 4096,
                "sarsen.doors.api.streams.STREAMS_A_CALLER": 4096,
            }
        ),
    }


def make_tables(data: Path) -> None:
    """Put a database with all tables into a data folder, as tests do: migrations take seconds."""
    sys.path.append(TESTS)
    from databases import copy_migrated_file

    data.mkdir(parents=True, exist_ok=True)
    copy_migrated_file(data / "sarsen.sqlite3")


@contextlib.contextmanager
def serving(
    data: Path, relay: int, *, pictures: bool = False, more: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Run `sarsen serve` until the block ends, with some more in its environment."""
    http, smtp, lmtp = (free_port() for _ in range(3))
    places = ["--http", f"127.0.0.1:{http}", "--smtp", f"127.0.0.1:{smtp}"]
    places += ["--lmtp", f"127.0.0.1:{lmtp}", "--domain", DOMAIN]
    log = data / "server.log"
    began = time.monotonic()
    with log.open("ab") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "sarsen", "serve", "--data", str(data), *places],
            env=environment(data, relay, pictures=pictures) | dict(more or {}),
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
    try:
        assert process.stdout is not None
        if not any(line.strip() == b"ready" for line in process.stdout):
            raise RuntimeError(f"the server did not become ready:\n{log.read_text()[-3000:]}")
        yield Server(process.pid, http, smtp, time.monotonic() - began)
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_LIMIT)
    except subprocess.TimeoutExpired:
        pass
    finally:
        # Its own session holds nothing but the server and what that has started.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout:
            process.stdout.close()


def free_port() -> int:
    """Return a port of the loopback address that nobody listens on."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as taken, contextlib.suppress(OSError):
            taken.bind(("127.0.0.1", port))
            return port
