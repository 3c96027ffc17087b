"""Two hosts and a database: either may die, and the other goes on."""

from __future__ import annotations

import itertools
import smtplib
import urllib.request
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import psycopg
import pytest
from aiosmtpd.controller import Controller

from faults.hosts.network import DATABASE, HERE, Host, await_answer, network, why_not
from processes.conftest import Relay, text_of

pytestmark = pytest.mark.slow
ANN, BOB = "ann@ann.example", "bob@bob.example"
OURS = "sarsen@play.example"


class Post:
    """Send as a mail server does: to the first listener that takes the mail."""

    def __init__(self, hosts: tuple[Host, Host]) -> None:
        self.hosts = hosts
        self.relay = Relay()
        self.relay.controller = Controller(self.relay, hostname=HERE, port=8026)
        self._numbers = itertools.count(1)
        self._seen: dict[str, int] = {}
        self._read: set[str] = set()

    def send(self, sender: str, line: str, *, first: int = 0) -> Host:
        """Hand over a command; give the host that said 250."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, OURS, line
        message["Message-ID"] = f"<{next(self._numbers)}@{sender.partition('@')[2]}>"
        message.set_content("")
        for host in (self.hosts[first], self.hosts[1 - first]):
            try:
                with smtplib.SMTP(host.address, 8025, timeout=5) as session:
                    session.send_message(message)
            except OSError:
                continue
            return host
        raise AssertionError("no host takes mail")

    def next_letter(self, address: str) -> EmailMessage:
        """Return the next letter to an address; a second copy of one is passed over."""
        while True:
            number = self._seen.get(address, 0)
            self._seen[address] = number + 1
            letter = self.relay.letter(address, number)
            if str(letter["Message-ID"]) not in self._read:
                self._read.add(str(letter["Message-ID"]))
                return letter

    def reply(self, letter: EmailMessage, line: str) -> None:
        message = EmailMessage()
        message["From"], message["To"] = str(letter["To"]), str(letter["Reply-To"])
        message["Subject"] = f"Re: {letter['Subject']}"
        message["Message-ID"] = f"<{next(self._numbers)}@reply.example>"
        message.set_content(line)
        with smtplib.SMTP(self.hosts[1].address, 8025, timeout=5) as session:
            session.send_message(message)

    def join(self, userid: str) -> None:
        address = f"{userid}@{userid}.example"
        self.send(address, f"signup {userid} secret-{userid}")
        self.reply(self.next_letter(address), "yes")
        self.next_letter(address)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    if reason := why_not():
        pytest.skip(reason)
    with network(tmp_path) as hosts:
        post = Post(hosts)
        post.relay.controller.start()
        for host in hosts:
            host.start_all()
        for host in hosts:
            await_answer(host.address, 8025)
            await_answer(host.address, 8000)
        yield post
        post.relay.controller.stop()


def page_of(host: Host) -> str:
    address = f"http://{host.address}:8000/boards/1/"
    with urllib.request.urlopen(address, timeout=20) as answer:
        return str(answer.read().decode())


def played() -> list[str]:
    with psycopg.connect(f"postgres://sarsen@{DATABASE}/postgres") as connection:
        rows = connection.execute(
            "SELECT text FROM storage_matchevent WHERE kind = 'move' ORDER BY number"
        )
        return [str(text) for (text,) in rows]


def test_a_game_goes_on_when_either_host_dies_and_comes_back(post: Post) -> None:
    one, two = post.hosts
    post.join("ann")
    post.join("bob")
    post.send(ANN, "druid challenge -size=12 ann secret-ann ann bob")
    post.next_letter(ANN)
    invitation = post.next_letter(BOB)
    post.reply(invitation, "accept")
    post.next_letter(ANN)
    post.next_letter(BOB)

    # The worker of one host is away; what its listener took is answered by the other's.
    one.kill("work")
    assert post.send(ANN, "druid move 1 ann secret-ann a1") is one
    assert "(move 1)." in text_of(post.next_letter(ANN))
    post.next_letter(BOB)

    # A listener dies: senders try the next one.
    one.kill("listen")
    assert post.send(BOB, "druid move 1 bob secret-bob b2") is two
    assert "(move 2)." in text_of(post.next_letter(BOB))
    post.next_letter(ANN)

    # A whole host dies just after its 250, its cable with it.
    two.kill("work")
    one.start("listen", f"{one.address}:8025", f"{one.address}:8024")
    await_answer(one.address, 8025)
    assert post.send(ANN, "druid move 1 ann secret-ann c3", first=1) is two
    two.kill_all()
    two.within("ip", "link", "set", "eth0", "down")
    one.start("work")
    assert "(move 3)." in text_of(post.next_letter(ANN))
    post.next_letter(BOB)
    assert "c3" in page_of(one)

    # It comes back and knows all; the other one goes.
    two.within("ip", "link", "set", "eth0", "up")
    two.start_all()
    await_answer(two.address, 8025)
    await_answer(two.address, 8000)
    one.kill_all()
    assert post.send(BOB, "druid move 1 bob secret-bob d4") is two
    assert "(move 4)." in text_of(post.next_letter(BOB))
    assert "d4" in page_of(two)
    assert played() == ["a1", "b2", "c3", "d4"]
