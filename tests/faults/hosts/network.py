"""Several hosts on one machine: network namespaces on a bridge, a database on one of them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HERE = "10.77.31.1"  # of the tests, and of the relay
DATABASE = "10.77.31.2"
BRIDGE = "sarsentest"
SECRET = "the-same-secret-key-on-every-host"
SIGNING = "c2FyZ2VuLXNpZ25pbmcta2V5LW9mLXRlc3RzLTMyIT0="
LIMIT = 60.0  # seconds until a process must answer; a limit, never a wait


def why_not() -> str:
    """Return a text that says why there can be no namespaces here; "" when there can."""
    if shutil.which("ip") is None:
        return "the command `ip` is not installed"
    if database_programs() is None:
        return "PostgreSQL is not installed"
    tried = subprocess.run(["ip", "netns", "add", "sarsen-try"], capture_output=True, check=False)
    if tried.returncode:
        return "this user may not make network namespaces"
    run("ip", "netns", "delete", "sarsen-try")
    return ""


def database_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    where = shutil.which("initdb")
    return found[-1] if found else Path(where).parent if where else None


def run(*words: str) -> None:
    """Run a command that must succeed."""
    subprocess.run(words, check=True, capture_output=True)


@dataclass
class Host:
    """One machine: a namespace with an address, and what runs in it."""

    name: str
    address: str
    data: Path
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def connect(self) -> None:
        """Make the namespace and put it on the bridge."""
        run("ip", "netns", "add", self.name)
        pair = ("type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "add", self.name, *pair)
        run("ip", "link", "set", self.name, "master", BRIDGE, "up")
        self.within("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.within("ip", "link", "set", "eth0", "up")
        self.within("ip", "link", "set", "lo", "up")

    def within(self, *words: str) -> None:
        """Run a command on the host."""
        run("ip", "netns", "exec", self.name, *words)

    def start(self, process: str, *words: str) -> None:
        """Start a process of the server."""
        line = ["ip", "netns", "exec", self.name, sys.executable, "-m", "sarsen", process, *words]
        self.running[process] = subprocess.Popen(
            line, env=environment(self.data), start_new_session=True
        )

    def start_all(self) -> None:
        """Start what a host runs: web pages, mail in, mail out and all else."""
        self.start("web", f"{self.address}:8000")
        self.start("listen", f"{self.address}:8025", f"{self.address}:8024")
        self.start("work")

    def kill(self, process: str) -> None:
        """End a process as a crash would."""
        gone = self.running.pop(process)
        os.killpg(gone.pid, signal.SIGKILL)
        gone.wait()

    def kill_all(self) -> None:
        """End all at once, as when the power fails."""
        for process in list(self.running):
            self.kill(process)

    def remove(self) -> None:
        """Take the host away."""
        self.kill_all()
        subprocess.run(["ip", "netns", "delete", self.name], capture_output=True, check=False)


def environment(data: Path) -> dict[str, str]:
    """Return the variables that all hosts share, and the folder of one."""
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    return kept | {
        "SARSEN_DATA": str(data),
        "DATABASE_URL": f"postgres://sarsen@{DATABASE}/postgres",
        "SARSEN_SECRET_KEY": SECRET,
        "SARSEN_SIGNING_KEY": SIGNING,
        "SARSEN_DOMAIN": "play.example",
        "SARSEN_URL": f"http://{HERE}",
        "SARSEN_SMTP_URL": f"smtp://{HERE}:8026",
        "SARSEN_MAIL_PICTURES": "off",
        "SARSEN_LOG_LEVEL": "WARNING",
        "SARSEN_BOTS": "off",
    }


@contextmanager
def network(folder: Path) -> Iterator[tuple[Host, Host]]:
    """Make two hosts, and a third with a database that has its tables."""
    run("ip", "link", "add", BRIDGE, "type", "bridge")
    hosts = [Host(f"sarsen{number}", f"10.77.31.{10 + number}", folder) for number in (1, 2)]
    store = Host("sarsendb", DATABASE, folder)
    try:
        run("ip", "address", "add", f"{HERE}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        for host in (*hosts, store):
            host.connect()
        with _database(store):
            for host in hosts:
                host.data = folder / host.name
                host.data.mkdir()
            migrate = [sys.executable, "-m", "sarsen", "migrate"]
            subprocess.run(migrate, env=environment(folder / "tables"), check=True)
            yield hosts[0], hosts[1]
            for host in hosts:
                host.kill_all()
    finally:
        for host in (*hosts, store):
            host.remove()
        run("ip", "link", "delete", BRIDGE)


@contextmanager
def _database(host: Host) -> Iterator[None]:
    programs = database_programs()
    assert programs is not None
    home = Path(tempfile.mkdtemp())
    shutil.chown(home, "postgres")
    home.chmod(0o755)
    as_postgres = ("runuser", "-u", "postgres", "--")
    initdb = (f"{programs}/initdb", "-D", f"{home}/data", "-U", "sarsen", "--auth=trust")
    run(*as_postgres, *initdb, "-E", "UTF8", "--locale=C.UTF-8")
    with (home / "data/pg_hba.conf").open("a") as rights:
        rights.write("host all all 10.77.31.0/24 trust\n")
    control = (*as_postgres, f"{programs}/pg_ctl", "-D", f"{home}/data", "-s", "-w")
    options = f"-c listen_addresses={DATABASE} -c unix_socket_directories={home}"
    started = ["ip", "netns", "exec", host.name, *control, "-l", f"{home}/log", "-o", options]
    # Not captured: the server would keep the pipe open.
    subprocess.run([*started, "start"], check=True)
    try:
        yield
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False)
        shutil.rmtree(home, ignore_errors=True)


def await_answer(address: str, port: int) -> None:
    """Wait until somebody listens."""
    import socket

    end = time.monotonic() + LIMIT
    while True:
        try:
            socket.create_connection((address, port), 1).close()
        except OSError:
            assert time.monotonic() < end, f"nobody answers at {address}:{port}"
            time.sleep(0.05)
        else:
            return
