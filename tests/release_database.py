"""Play on a server of one release by mail, and keep its database as SQL, for `test_upgrades`.

    python tests/release_database.py                        the release in this working tree
    python tests/release_database.py 0.1.0 /where/it/is     one that was unpacked elsewhere

What is played is the same for every release, as far as it had the commands. The server
runs in processes of its own, so that it is the release's code that writes every row.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import smtplib
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "storage" / "data"
DOMAIN = "play.example"
PATIENCE = 120.0  # seconds for an answer
MAX_BYTES = 300_000
SHORT_LINES = 6  # of the short form
DRUID = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1"
GYGES = "231123 321123 16-35 61-53 15-24 66x65=21"
SHORT = "a1 b1 c1 d1"
WON = "E3 D4 B2 E2"
# The player, the line as written where the server knows them, and the release that brought it.
LINES: tuple[tuple[str, str, str], ...] = (
    ("ann", "druid challenge ann bob", "0.1.0"),
    ("bob", "accept 1", "0.1.0"),
    *((("ann", "bob")[at % 2], f"druid move 1 {m}", "0.1.0") for at, m in enumerate(DRUID.split())),
    ("bob", "gyges challenge bob ann", "0.1.0"),
    ("ann", "accept 2", "0.1.0"),
    *((("bob", "ann")[at % 2], f"gyges move 2 {m}", "0.1.0") for at, m in enumerate(GYGES.split())),
    ("ann", "visavis challenge -size=5 ann bob", "0.1.0"),
    ("bob", "accept 3", "0.1.0"),
    *((("ann", "bob")[at % 2], f"visavis move 3 {m}", "0.1.0") for at, m in enumerate(WON.split())),
    ("cy", "vasco challenge --private cy ann", "0.1.0"),
    ("ann", "accept 4", "0.1.0"),
    ("cy", "druid challenge -size=6 cy bob", "0.1.0"),
    ("bob", "accept 5", "0.1.0"),
    *(
        (("cy", "bob")[at % 2], f"druid move 5 {m}", "0.1.0")
        for at, m in enumerate(["a1", "b1", "c1", "d1"])
    ),
    ("cy", "druid resign 5", "0.1.0"),
    ("cy", "druid confirm 5", "0.1.0"),
    ("ann", "druid challenge -size=5 ann bob", "0.1.0"),
    ("bob", "accept 6", "0.1.0"),
    ("ann", "druid challenge ann anyone", "0.1.0"),
    ("bob", "gyges challenge bob cy", "0.1.0"),
    ("cy", "decline 8 not today", "0.1.0"),
    ("bob", "druid move 1 zz99", "0.1.0"),
    ("ann", "change timezone Europe/Berlin", "0.2.0"),
    ("ann", "notices turn digest", "0.2.0"),
    ("cy", "refuse bob", "0.2.0"),
    ("cy", "vacation 2027-08-01 2027-08-14", "0.2.0"),
    ("bob", "subscribe ann druid weekly", "0.2.0"),
    ("ann", "gyges chat 2 A fine opening, Bob.", "0.2.0"),
    ("bob", "gyges notes 2 Renop looms.", "0.2.0"),
    ("ann", "druid move 6 a1", "0.2.0"),
    ("bob", "druid move 6 b1", "0.2.0"),
    ("bob", "druid undo 6", "0.2.0"),
    ("ann", "druid accept 6", "0.2.0"),
    ("ann", "druid queue 6 if c1 then d1; if any then e1", "0.2.0"),
    ("bob", "druid submit 6 c1", "0.2.0"),
    ("bob", "gyges challenge --forfeittime=3 bob ann", "0.2.0"),
    ("ann", "accept 9", "0.2.0"),
    ("bob", "gyges draw 7", "0.2.0"),
    ("ann", "gyges accept 7", "0.2.0"),
    ("bob", "rematch 3", "0.2.0"),
    ("bob", "message ann: See you on Sunday?", "0.2.0"),
    ("ann", "druid challenge ann bot1", "0.3.0"),
    ("ann", "visavis review 3", "0.3.0"),
    ("bob", "change language de", "0.3.0"),
    ("dee", "signoff", "0.2.0"),
    ("dee", "confirm signoff", "0.2.0"),
)
CLOSE_PERIODS = """
import django, sys
django.setup()
from datetime import timedelta
from django.utils import timezone
from sarsen.services.ratings import closing
closing.sweep(timezone.now() + timedelta(days=60))
"""


class Release:
    """A server of a release, in a folder of its own."""

    def __init__(self, version: str, source: Path, data: Path) -> None:
        self.version, self.data = version, data
        self.port = _free_port()
        own = source / ".venv" / "bin" / "python"  # with what that release needs
        self.python = str(own) if own.is_file() else sys.executable
        kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
        self.environment = kept | {
            "PYTHONPATH": str(source / "src"),
            "SARSEN_DATA": str(data),
            "SARSEN_DOMAIN": DOMAIN,
            "SARSEN_URL": f"http://{DOMAIN}",
            "SARSEN_MAIL_PICTURES": "off" if version != "0.1.0" else "False",
            "SARSEN_THINKERS": "0",
            "SARSEN_LOG_LEVEL": "WARNING",
        }
        self._sent = 0
        self._known: dict[str, str] = {}

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        words = ["serve", "--data", str(self.data), "--domain", DOMAIN]
        words += ["--http", f"127.0.0.1:{_free_port()}", "--lmtp", f"127.0.0.1:{_free_port()}"]
        words += ["--smtp", f"127.0.0.1:{self.port}"]
        process = subprocess.Popen(
            [self.python, "-m", "sarsen", *words], env=self.environment, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        try:
            while (line := process.stdout.readline()) and line.strip() != b"ready":
                pass
            assert line, "the server ended before it was ready"
            yield
        finally:
            process.terminate()
            process.wait(60)

    def join(self, userid: str) -> None:
        self.say(userid, f"signup {userid} secret-{userid}")
        (code,) = self.ask("SELECT code FROM storage_signup WHERE key = ?", userid)
        self.say(userid, f"welcome {code}")
        welcome = "SELECT raw FROM storage_caughtmail WHERE subject = ?"
        found = self._await(lambda: self.ask(welcome, f"Welcome, {userid}"))
        # What comes there is known to be from this player.
        self._known[userid] = message_from_bytes(found[0])["Reply-To"]

    def say(self, userid: str, line: str) -> None:
        """Write a mail and wait for its answer; the server knows the player after joining."""
        self._sent += 1
        message = EmailMessage()
        message["From"] = f"{userid}@{userid}.example"
        message["To"] = self._known.get(userid, f"sarsen@{DOMAIN}")
        message["Subject"] = line
        message["Message-ID"] = f"<{self._sent}@{userid}.example>"
        message.set_content("\n")
        with smtplib.SMTP("127.0.0.1", self.port) as session:
            session.send_message(message)
        done = "SELECT 1 FROM storage_inboundmail WHERE id = ? AND state <> 'new'"
        self._await(lambda: self.ask(done, str(self._sent)))

    def _await(self, asked: Callable[[], tuple[Any, ...] | None]) -> tuple[Any, ...]:
        end = time.monotonic() + PATIENCE
        while (found := asked()) is None:
            assert time.monotonic() < end, "no answer"
            time.sleep(0.02)
        return found

    def refused(self) -> list[str]:
        """Return the lines that the server did not understand; one is meant to be so."""
        with contextlib.closing(sqlite3.connect(self.data / "sarsen.sqlite3")) as opened:
            letters = opened.execute("SELECT subject, raw FROM storage_caughtmail").fetchall()
        return [subject for subject, raw in letters if b"Nothing was changed" in raw]

    def ask(self, question: str, *values: str) -> Any:
        with contextlib.closing(
            sqlite3.connect(self.data / "sarsen.sqlite3", timeout=30)
        ) as opened:
            return opened.execute(question, values).fetchone()


def main() -> None:
    """Play, and write the database of the release beside those of the others."""
    asked = _arguments()
    source, version = asked.source.absolute(), asked.version
    found = version_of(source)
    if version not in ("", found):
        # Of the commit that changed this version into the next one, the one before.
        last = f"$(git log -1 --format=%h -S'\"{version}\"' -- src/sarsen/__init__.py)^"
        raise SystemExit(
            f"{source} is sarsen {found}, which cannot write a database of {version}.\n"
            f"  Unpack that release: git worktree add /tmp/sarsen-{version} {last}\n"
            f"  Set it up: make -C /tmp/sarsen-{version} setup\n"
            f"  Then: python tests/release_database.py {version} /tmp/sarsen-{version}"
        )
    version, lines = found, LINES[: SHORT_LINES if asked.quick else None]
    with tempfile.TemporaryDirectory() as folder:
        release = Release(version, source, Path(folder) / "data")
        with release.running():
            for userid in ("ann", "bob", "cy", "dee"):
                release.join(userid)
            for userid, line, since in lines:
                if _number(since) <= _number(version):
                    release.say(userid, line)
        closing = source / "src" / "sarsen" / "services" / "ratings" / "closing.py"
        if closing.is_file():  # rates all games of a period together
            settings = {"DJANGO_SETTINGS_MODULE": "sarsen.server.settings"}
            words = [release.python, "-c", CLOSE_PERIODS]
            subprocess.run(words, env=release.environment | settings, check=True)
        for subject in release.refused():
            print(f"refused: {subject}")
        text = _dumped(release.data / "sarsen.sqlite3")
    assert len(text) < MAX_BYTES, f"{len(text):,} characters are too many to keep"
    asked.to.mkdir(parents=True, exist_ok=True)
    (asked.to / f"{version}.sql").write_text(text, encoding="utf-8")
    print(f"{version}: {len(text):,} characters, {asked.to / version}.sql")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("version", nargs="?", default="", help="of the release (default: what is in its folder)")
    add("source", nargs="?", type=Path, default=Path(__file__).parents[1], help="its folder")
    add("--to", type=Path, default=KEPT, metavar="FOLDER", help="where the database is written")
    add("--quick", action="store_true", help="play a few moves only: shows that all works")
    return parser.parse_args()


def version_of(source: Path) -> str:
    """Return which release is in a folder, without the end of one that is still made.

    Raises:
        SystemExit: There is none.
    """
    text = source / "src" / "sarsen" / "__init__.py"
    named = text.read_text(encoding="utf-8") if text.is_file() else ""
    found = re.search(r'^__version__ = "(\d+\.\d+\.\d+)', named, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{source} is no folder of a release of sarsen: it has no {text}")
    return found[1]


def _dumped(path: Path) -> str:
    """Return a database as SQL, without its jobs, and with a few of the letters in full."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM django_tasks_database_dbtaskresult")
        database.execute("DELETE FROM storage_caughtmail WHERE id > 4")
        database.execute("PRAGMA user_version = 0")
        database.commit()
        return "\n".join(database.iterdump()) + "\n"


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


if __name__ == "__main__":
    main()
