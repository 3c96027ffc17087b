"""A real server in processes of its own, and a real relay that takes its mail."""

from __future__ import annotations

import email
import email.policy
import itertools
import os
import random
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from databases import copy_migrated_file, fresh_database, migrated_database

DOMAIN = "play.example"
PATIENCE = 120.0  # seconds until something must have come; a limit, never a wait
# Below those that the system gives to connections: one of these could be taken between.
PORTS = range(10_000, 32_000)
_RESERVED: list[socket.socket] = []


class Relay:
    """Take mail as the relay of a provider would, and hand it to the tests."""

    def __init__(self) -> None:
        self._boxes: dict[str, list[EmailMessage]] = {}
        self._came = threading.Condition()
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        raw = envelope.original_content or b""
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        with self._came:
            for address in envelope.rcpt_tos:
                self._boxes.setdefault(address, []).append(message)
            self._came.notify_all()
        return "250 OK"

    def letter(self, address: str, number: int) -> EmailMessage:
        """Return the letter of that number, counted from 0, to an address; wait for it."""
        with self._came:
            arrived = self._came.wait_for(
                lambda: len(self._boxes.get(address, [])) > number, timeout=PATIENCE
            )
            assert arrived, f"letter {number} to {address} never came"
            return self._boxes[address][number]

    def letters(self, address: str) -> list[EmailMessage]:
        with self._came:
            return list(self._boxes.get(address, []))


class Server:
    """Run `sarsen serve` as an operator would, with a database that has its tables already.

    Making them takes seconds of every first start; `test_settings` does it from nothing.
    """

    def __init__(
        self,
        data: Path,
        relay: Relay,
        more: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> None:
        self.data = data
        self.more = more or {}
        self.options = options
        self.relay = relay
        self.http, self.smtp, self.lmtp = (free_port() for _ in range(3))
        shared = os.environ.get("DATABASE_URL", "")
        if shared:
            self.database = fresh_database(shared, data.parent.name, migrated_database(shared))
        else:
            self.database = ""
            data.mkdir(parents=True)
            copy_migrated_file(data / "sarsen.sqlite3")
        self.process: subprocess.Popen[str] | None = None
        self._numbers = itertools.count(1)
        self._seen: dict[str, int] = {}
        self._read: set[tuple[str, str]] = set()

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
        kept.pop("DJANGO_SETTINGS_MODULE", None)
        if self.database:
            kept["DATABASE_URL"] = self.database
        relay = self.relay.controller.port
        return kept | {
            "SARSEN_DATA": str(self.data),
            "SARSEN_DOMAIN": DOMAIN,
            "SARSEN_SMTP_URL": f"smtp://127.0.0.1:{relay}",
            "SARSEN_MAIL_PICTURES": "off",
            "SARSEN_LOG_LEVEL": "WARNING",
            # Loading the searches takes a second of every start; most tests need none.
            "SARSEN_BOTS": "off",
            **self.more,
        }

    @property
    def words(self) -> list[str]:
        words = ["serve", "--data", str(self.data), "--http", f"127.0.0.1:{self.http}"]
        words += ["--smtp", f"127.0.0.1:{self.smtp}", "--lmtp", f"127.0.0.1:{self.lmtp}"]
        return [sys.executable, "-m", "sarsen", *words, "--domain", DOMAIN, *self.options]

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.words,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
        raise AssertionError("the server ended before it was ready")

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def children(self, word: str) -> list[int]:
        """Return the ids of the processes that run a `sarsen` command, of this server only."""
        assert self.process is not None
        return [pid for pid in children_of(self.process.pid) if name_of(pid) == f"sarsen {word}"]

    def send(self, sender: str, body: str, *, to: str = "", subject: str = "") -> EmailMessage:
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to or f"sarsen@{DOMAIN}"
        message["Subject"] = subject
        message["Message-ID"] = f"<{next(self._numbers)}@{sender.partition('@')[2]}>"
        message.set_content(body)
        with smtplib.SMTP("127.0.0.1", self.smtp) as session:
            session.send_message(message)
        return message

    def next_letter(self, address: str) -> EmailMessage:
        """Return the next letter to an address that has not been read; wait for it.

        The second copy of a letter, which a kill may cause, is passed over.
        """
        while True:
            number = self._seen.get(address, 0)
            self._seen[address] = number + 1
            letter = self.relay.letter(address, number)
            if (address, letter["Message-ID"]) not in self._read:
                self._read.add((address, letter["Message-ID"]))
                return letter

    def next_letter_telling(self, address: str, words: str) -> EmailMessage:
        """Return the next letter to an address that has the words in its text, past others."""
        while True:
            letter = self.next_letter(address)
            if words in one_line(letter):
                return letter

    def join(self, userid: str) -> EmailMessage:
        address = f"{userid}@{userid}.example"
        self.send(address, "", subject=f"signup {userid} secret-{userid}")
        self.answer(self.next_letter(address), "yes")
        return self.next_letter(address)

    def answer(self, letter: EmailMessage, line: str) -> None:
        self.send(
            str(letter["To"]),
            f"{line}\n\n> quoted\n",
            to=str(letter["Reply-To"]),
            subject=f"Re: {letter['Subject']}",
        )


class Reader:
    """A person who reads letters and answers the right ones.

    Attributes:
        newest: The newest letter of each kind that was read, by the header `X-Sarsen`.
    """

    def __init__(self, server: Server, userid: str, address: str = "") -> None:
        self.server, self.userid = server, userid
        self.address = address or f"{userid}@{userid}.example"
        self.newest: dict[str, EmailMessage] = {}

    def write(self, line: str, comes: str = "answer") -> EmailMessage:
        """Send a line as the subject of a new mail, and return the letter that comes."""
        self.server.send(self.address, "", subject=line)
        return self.wait_for(comes)

    def answer(self, kind: str, line: str, comes: str = "answer") -> EmailMessage:
        """Answer the newest letter of a kind, and return the letter that comes."""
        self.server.answer(self.newest[kind], line)
        return self.wait_for(comes)

    def wait_for(self, kind: str, words: str = "") -> EmailMessage:
        """Read on until a letter of a kind has come with these words in it, and return it."""
        while True:
            letter = self.server.next_letter(self.address)
            self.newest[str(letter["X-Sarsen"])] = letter
            if letter["X-Sarsen"] == kind and words in text_of(letter):
                return letter


def children_of(process: int) -> list[int]:
    """Return the ids of what a process has started and not outlived."""
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
        texts = [(thread / "children").read_text() for thread in threads]
    except OSError:  # it has just ended
        return []
    return [int(pid) for text in texts for pid in text.split()]


def words_of(process: int) -> list[str]:
    """Return the command line of a process, nothing when it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
    except OSError:
        return []


def name_of(process: int) -> str:
    """Return the name of a process, nothing when it has ended."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def await_true(asked: Callable[[], object], failure: str, limit: float = PATIENCE) -> None:
    """Ask again and again until the answer is yes."""
    end = time.monotonic() + limit
    while not asked():
        assert time.monotonic() < end, failure
        time.sleep(0.02)


def free_port() -> int:
    """Return a port that nothing uses, for a server that is started later, and perhaps again.

    No other process of the tests is given it as long as this one lives: it could listen there
    before the server does, or when the server is expected to have ended.
    """
    while True:
        port = random.SystemRandom().choice(PORTS)
        reserved = socket.socket(socket.AF_UNIX)
        with socket.socket() as taken, suppress(OSError):
            reserved.bind(f"\0port {port} of the tests of sarsen")  # gone with this process
            taken.bind(("127.0.0.1", port))
            _RESERVED.append(reserved)
            return port
        reserved.close()


def text_of(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def one_line(letter: EmailMessage) -> str:
    """Return the text of a letter as one line, wherever its lines break."""
    return " ".join(text_of(letter).split())


def running_server(
    data: Path, more: Mapping[str, str] | None = None, *words: str
) -> Iterator[Server]:
    """Run a server with an empty database of its own, and stop it in the end.

    Args:
        more: Environment variables beside the usual ones.
        words: Further options of `sarsen serve`.
    """
    relay = Relay()
    relay.controller.start()
    server = Server(data, relay, more, words)
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()
    relay.controller.stop()


@pytest.fixture
def memory_of_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the Makefile gives tests: large pages that are never given back."""
    for name in ("PYTHONMALLOC", "GLIBC_TUNABLES"):
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("MALLOC_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server that a test may break."""
    yield from running_server(tmp_path / "data")


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server to tests that leave each other alone."""
    yield from running_server(tmp_path_factory.mktemp("server") / "data")
