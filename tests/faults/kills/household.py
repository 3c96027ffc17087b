"""The processes of one server, each started, killed and waited for by the test itself."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from constants_for_tests import with_constants
from databases import copy_migrated_file, fresh_database, migrated_database
from faults.kills.relay import NotingRelay
from processes.conftest import (
    DOMAIN,
    await_true,
    children_of,
    free_port,
)

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SECRET = "of the fault suite"
# A thousand kills take more moves than a few people make in a day.
ANY_AMOUNT = {
    "sarsen.services.limits.daily.MAX_A_DAY": {"challenge": 1_000_000, "chat": 1_000_000},
    "sarsen.doors.mail.receive.listener.MAILS_FROM_ONE_SENDER": 0,
    "sarsen.doors.mail.receive.listener.MAILS_TO_ONE_BOARD": 0,
    "sarsen.services.accounts.passwords.CHECKS_A_SECOND": 10_000,
}


class Household:
    """Run listener, worker, web and thinker, without the supervisor.

    Attributes:
        running: The process id of each, by its name.
    """

    def __init__(
        self, data: Path, relay: NotingRelay, more: Mapping[str, str] | None = None
    ) -> None:
        self.data, self.relay, self.more = data, relay, dict(more or {})
        self.http, self.smtp, self.lmtp = (free_port() for _ in range(3))
        shared = os.environ.get("DATABASE_URL", "")
        self.database = ""
        data.mkdir(parents=True, exist_ok=True)
        if shared:
            self.database = fresh_database(shared, data.parent.name, migrated_database(shared))
        else:
            copy_migrated_file(data / "sarsen.sqlite3")
        self.running: dict[str, int] = {}
        self._nursery: subprocess.Popen[str] | None = None

    @property
    def file(self) -> Path:
        return self.data / "sarsen.sqlite3"

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
        kept.pop("DJANGO_SETTINGS_MODULE", None)
        kept.pop("DATABASE_URL", None)
        if self.database:
            kept["DATABASE_URL"] = self.database
        return kept | {
            **with_constants(ANY_AMOUNT, ROOT / "src"),
            "SARSEN_DATA": str(self.data),
            "SARSEN_SECRET_KEY": SECRET,
            "SARSEN_DOMAIN": DOMAIN,
            "SARSEN_URL": f"http://127.0.0.1:{self.http}",
            "SARSEN_SMTP_URL": f"smtp://127.0.0.1:{self.relay.port}",
            "SARSEN_MAIL_PICTURES": "off",
            "SARSEN_LOG_LEVEL": "ERROR",
            "SARSEN_BOTS": "off",
            **self.more,
        }

    @property
    def words(self) -> dict[str, list[str]]:
        """Return how each process is started; as `sarsen serve` does it."""
        return {
            "listener": ["listen", f"127.0.0.1:{self.smtp}", f"127.0.0.1:{self.lmtp}"],
            "worker": ["work"],
            "web": ["web", f"127.0.0.1:{self.http}"],
            "thinker": ["think"],
        }

    @property
    def workers(self) -> list[str]:
        """Return the names of the workers that run."""
        return [name for name in self.running if name.startswith("worker")]

    def make_world(self, seed: int, plies: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
        """Make players and boards; give the boards with the moves to be played."""
        words = [sys.executable, str(HERE / "world.py"), str(seed), str(plies), *kinds]
        made = subprocess.run(words, env=self.environment, stdout=subprocess.PIPE, check=True)
        boards: list[dict[str, Any]] = json.loads(made.stdout)
        return boards

    def open(self) -> None:
        """Load what the processes need, once."""
        self._nursery = subprocess.Popen(
            [sys.executable, str(HERE / "nursery.py")],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._answer() == "ready"

    def close(self) -> None:
        """Kill whatever still runs."""
        for name in list(self.running):
            self.kill(name)
        if self._nursery is not None:
            self._nursery.kill()
            self._nursery.communicate()

    def start(self, *names: str) -> None:
        """Start some processes, and wait for none."""
        for name in names:
            self.running[name] = int(self._order(self.words[name.rstrip("0123456789")]))

    def kill(self, name: str, number: int = signal.SIGKILL) -> int:
        """Kill a process with all it started; give how it ended."""
        child = self.running.pop(name)
        # It may not have come as far as a session of its own.
        for send in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError):
                send(child, number)
        return self.wait_for(child)

    def end(self, name: str) -> int:
        """Ask a process to end, as the supervisor does; give its exit status."""
        child = self.running[name]
        # One that is asked before it listens to signals just dies.
        await_true(lambda: _catches(child, signal.SIGTERM), f"the {name} never listens to signals")
        del self.running[name]
        os.killpg(child, signal.SIGTERM)
        return self.wait_for(child)

    def kill_below(self, name: str) -> int:
        """Kill only what a process has started, as far as there is any; then it ends itself."""
        for below in children_of(self.running[name]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(below, signal.SIGKILL)
        return self.kill(name)

    def wait_for(self, child: int) -> int:
        return int(self._order(child))

    def await_ports(self, *ports: int) -> None:
        for port in ports or (self.smtp, self.http):
            await_true(lambda port=port: _answers(port), f"port {port} does not answer")

    def fetch(self, path: str) -> int:
        """Return the status of a page."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http}{path}", timeout=60) as got:
            return int(got.status)

    def _order(self, order: object) -> str:
        assert self._nursery is not None
        assert self._nursery.stdin is not None
        self._nursery.stdin.write(json.dumps(order) + "\n")
        self._nursery.stdin.flush()
        return self._answer()

    def _answer(self) -> str:
        assert self._nursery is not None
        assert self._nursery.stdout is not None
        line = self._nursery.stdout.readline().strip()
        assert line, "the nursery has ended; see above"
        return line


@contextlib.contextmanager
def household(data: Path, more: Mapping[str, str] | None = None) -> Iterator[Household]:
    """Yield a server none of whose processes runs yet, and end them all afterwards."""
    with NotingRelay() as relay:
        made = Household(data, relay, more)
        try:
            yield made
        finally:
            made.close()


def _catches(process: int, number: int) -> bool:
    """Return whether a process handles a signal itself."""
    text = Path(f"/proc/{process}/status").read_text()
    (caught,) = (line.split()[1] for line in text.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False
