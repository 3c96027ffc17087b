"""Handing messages to a relay that offers PIPELINING: a real one of a few lines, on loopback."""

from __future__ import annotations

import smtplib
import socketserver
from collections.abc import Iterator

import pytest

from sarsen.doors.mail.send.relaying import Message, RelayReply, hand_over
from serving import serving

TAKEN = RelayReply(250, "taken")
RAW = b"Subject: x\r\n\r\n.a line with a dot\r\nthe end"


class Session(socketserver.StreamRequestHandler):
    """Take letters; what it thinks of them hangs on the address."""

    server: Relay

    def handle(self) -> None:
        self.say("220 relay.example")
        recipient, is_open = "", False
        while line := self.rfile.readline().decode().strip():
            self.server.heard.append(line.partition(":")[0])
            match line.upper()[:4]:
                case "EHLO":
                    self.say("250-relay.example\r\n250 PIPELINING")
                case "MAIL":
                    recipient, is_open = "", "late" not in line
                    self.say("250 OK" if is_open else "451 not now")
                case "RCPT" | "DATA" if not is_open:
                    self.say("503 MAIL first")
                case "RCPT":
                    recipient = line.partition("<")[2].rstrip(">")
                    self.say("550 5.1.1 nobody" if "gone" in line else "250 OK")
                case "DATA":
                    # As some do, it takes a message for nobody.
                    self.say("354 go on")
                    self.take(recipient)
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say("250 OK")

    def take(self, recipient: str) -> None:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return  # the other side has hung up
            lines.append(line)
        if "gone" in recipient:
            self.say("554 no recipients")
        elif "spam" in recipient:
            self.say("554 5.7.1 spam")
        elif "cut" in recipient:
            self.say("421 closing")
            self.wfile.close()
        else:
            self.server.taken.append((recipient, b"".join(lines)))
            self.say("250 taken")

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class Relay(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.taken: list[tuple[str, bytes]] = []
        self.heard: list[str] = []


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay()
    with serving(relay):
        yield relay


@pytest.fixture
def connection(relay: Relay) -> Iterator[smtplib.SMTP]:
    host, port = relay.server_address[:2]
    connection = smtplib.SMTP(str(host), port, timeout=120)
    yield connection
    connection.close()


def messages(*names: str) -> list[Message]:
    return [Message("bounce@sarsen.test", f"{name}@x.example", RAW) for name in names]


def test_pipelined_messages_arrive_whole_and_in_order(
    relay: Relay, connection: smtplib.SMTP
) -> None:
    assert list(hand_over(connection, messages("ann", "bob", "cia"))) == [TAKEN] * 3
    assert [name for name, _ in relay.taken] == ["ann@x.example", "bob@x.example", "cia@x.example"]
    assert {raw for _, raw in relay.taken} == {
        b"Subject: x\r\n\r\n..a line with a dot\r\nthe end\r\n"
    }


def test_refusals_in_the_midst_of_pipelined_messages_are_those_of_their_own_message(
    relay: Relay, connection: smtplib.SMTP
) -> None:
    answers = list(hand_over(connection, messages("ann", "gone", "bob", "spam", "cia")))
    assert answers == [
        TAKEN,
        RelayReply(550, "5.1.1 nobody", is_of_address=True),
        TAKEN,
        RelayReply(554, "5.7.1 spam", is_of_address=False),
        TAKEN,
    ]
    assert [name for name, _ in relay.taken] == ["ann@x.example", "bob@x.example", "cia@x.example"]


def test_relay_that_hangs_up_leaves_all_that_it_has_not_taken(
    relay: Relay, connection: smtplib.SMTP
) -> None:
    answers = hand_over(connection, messages("ann", "cut", "bob"))
    assert next(answers) == TAKEN
    with pytest.raises((smtplib.SMTPServerDisconnected, OSError)):
        next(answers)
    assert [name for name, _ in relay.taken] == ["ann@x.example"]


def test_relay_that_wants_no_mail_of_ours_now_refuses_no_letter(
    relay: Relay, connection: smtplib.SMTP
) -> None:
    late = Message("late@sarsen.test", "ann@x.example", RAW)
    with pytest.raises(smtplib.SMTPSenderRefused):
        list(hand_over(connection, [late, *messages("bob")]))
    assert not relay.taken
