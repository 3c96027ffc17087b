"""Talk to the ports of a real server as mail programs and mail servers do."""

from __future__ import annotations

import smtplib
import socket
import subprocess
import sys

import pytest

from processes.conftest import DOMAIN, Server, text_of

pytestmark = pytest.mark.ci


def test_case_49_one_session_carries_several_messages(shared_server: Server) -> None:
    server = shared_server
    with smtplib.SMTP("127.0.0.1", server.smtp) as session:
        session.ehlo()
        assert session.has_extn("8bitmime")
        assert session.has_extn("size")
        for userid in ("ann", "bob"):
            session.sendmail(
                f"{userid}@x.example",
                [f"sarsen@{DOMAIN}"],
                f"From: {userid}@x.example\nSubject: signup {userid}\n\n",
            )
        session.mail("eve@x.example")
        session.rset()
    assert "ann" in server.next_letter("ann@x.example")["Subject"]
    assert "bob" in server.next_letter("bob@x.example")["Subject"]


def test_case_51_recipient_not_ours_is_refused_at_rcpt(shared_server: Server) -> None:
    server = shared_server
    with smtplib.SMTP("127.0.0.1", server.smtp) as session:
        session.ehlo()
        session.mail("ann@x.example")
        assert session.rcpt("somebody@elsewhere.example")[0] == 550
        assert session.rcpt(f"nobody-we-know@{DOMAIN}")[0] == 550
        assert session.rcpt(f"sarsen@{DOMAIN}")[0] == 250


def test_case_53_lmtp_gives_one_status_for_each_recipient(shared_server: Server) -> None:
    server = shared_server
    with smtplib.LMTP("127.0.0.1", server.lmtp) as session:
        session.ehlo()
        session.mail("lara@x.example")
        session.rcpt(f"sarsen@{DOMAIN}")
        assert session.rcpt("other@elsewhere.example")[0] == 550
        session.rcpt(f"druid@{DOMAIN}")
        assert session.data(b"Subject: help\r\nFrom: lara@x.example\r\n\r\nhelp\r\n")[0] == 250
        assert session.getreply()[0] == 250
    assert "How this server works" in text_of(server.next_letter("lara@x.example"))


def test_message_from_a_pipe_is_answered(shared_server: Server) -> None:
    server = shared_server
    message = f"From: pia@x.example\nTo: sarsen@{DOMAIN}\nSubject: help options\n\n"
    words = [sys.executable, "-m", "sarsen", "mail", "deliver"]
    done = subprocess.run(words, input=message.encode(), env=server.environment)
    assert done.returncode == 0
    assert "Options of a challenge" in text_of(server.next_letter("pia@x.example"))
    foreign = b"From: pia@x.example\nTo: nobody@elsewhere.example\n\nhelp\n"
    done = subprocess.run(words, input=foreign, env=server.environment, capture_output=True)
    assert done.returncode == 67


def test_case_49_commands_may_be_pipelined(shared_server: Server) -> None:
    with socket.create_connection(("127.0.0.1", shared_server.smtp)) as line:
        answers = line.makefile("rb")
        assert answers.readline().startswith(b"220")
        line.sendall(b"EHLO x.example\r\n")
        offered = [answers.readline()]
        while offered[-1][3:4] == b"-":
            offered.append(answers.readline())
        assert any(b"PIPELINING" in offer for offer in offered)
        to = f"RCPT TO:<sarsen@{DOMAIN}>\r\n".encode()
        line.sendall(b"MAIL FROM:<rita@x.example>\r\n" + to + b"DATA\r\n")
        assert [answers.readline()[:3] for _ in range(3)] == [b"250", b"250", b"354"]
        line.sendall(b"From: rita@x.example\r\nSubject: help\r\n\r\n.\r\nQUIT\r\n")
        assert [answers.readline()[:3] for _ in range(2)] == [b"250", b"221"]
    assert "How this server works" in text_of(shared_server.next_letter("rita@x.example"))


def test_quitting_before_data_stores_nothing(shared_server: Server) -> None:
    with smtplib.SMTP("127.0.0.1", shared_server.smtp) as session:
        session.ehlo()
        session.mail("quinn@x.example")
        session.rcpt(f"sarsen@{DOMAIN}")
    shared_server.send("quinn@x.example", "", subject="help options")
    assert "Options of a challenge" in text_of(shared_server.next_letter("quinn@x.example"))
