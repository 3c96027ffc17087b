"""The settings of docs/operating.md for Postfix and nginx, with the real programs.

A game is played through Debian's Postfix on a high port, in and out.
"""

from __future__ import annotations

import re
import shutil
import smtplib
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

import pytest

from postfix import HOST, NO_POSTFIX, running_postfix
from processes.conftest import DOMAIN, Relay, Server, await_true, free_port
from sarsen.server.commands.configuration import file_text

pytestmark = pytest.mark.ci

NGINX = shutil.which("nginx", path="/usr/sbin")
SHORT_GAME = ("E3", "D4", "B2", "E2")  # of Visavis with -size=5; X wins


class ThroughPostfix(Server):
    """A server to which all mail goes through Postfix."""

    postfix: int

    def send(self, sender: str, body: str, *, to: str = "", subject: str = "") -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"] = sender, to or f"sarsen@{DOMAIN}"
        message["Subject"], message["Message-ID"] = subject, f"<{next(self._numbers)}@x.example>"
        message.set_content(body)
        await_true(lambda: self._is_taken(message), "Postfix never took the mail")
        return message

    def _is_taken(self, message: EmailMessage) -> bool:
        """Offer a mail as a mail server does, which comes again after a reply such as 450."""
        try:
            with smtplib.SMTP(HOST, self.postfix) as session:
                session.send_message(message)
        except smtplib.SMTPRecipientsRefused as refused:
            ((code, text),) = refused.recipients.values()
            assert code < 500, text
            return False
        return True


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ThroughPostfix]:
    """A server behind a Postfix with the settings of the page."""
    relay, more = Relay(), dict[str, str]()
    relay.controller.start()
    server = ThroughPostfix(tmp_path / "data", relay, more)
    try:
        with running_postfix(f"{HOST}:{server.lmtp}", relay.controller.port) as server.postfix:
            more["SARSEN_SMTP_URL"] = f"smtp://{HOST}:{server.postfix}"
            server.start()
            yield server
            server.stop()
    finally:
        if server.process is not None:
            server.process.kill()
        relay.controller.stop()


def turn_letter(server: Server, userid: str, ply: int) -> EmailMessage:
    """Return the letter whose answer plays a ply, past those that tell of something else."""
    while True:
        letter = server.next_letter(f"{userid}@{userid}.example")
        if re.match(rf"board-\d+-\d+-{ply}-", str(letter["Reply-To"])):
            return letter


@pytest.mark.skipif(bool(NO_POSTFIX), reason=NO_POSTFIX)
def test_game_is_played_through_postfix_and_forged_addresses_are_refused(
    server: ThroughPostfix,
) -> None:
    welcome = server.join("ann")
    server.join("bob")
    server.answer(welcome, "visavis challenge -size=5 ann bob")
    server.answer(server.next_letter("bob@bob.example"), "accept")
    for ply, move in enumerate(SHORT_GAME, start=1):
        userid = ("ann", "bob")[(ply - 1) % 2]
        server.answer(turn_letter(server, userid, ply), move)
    server.next_letter_telling("bob@bob.example", "wins")
    forged = "board-1-0-1-1-0-aaaaaaaaaaaaaaaaaaaa"
    with smtplib.SMTP(HOST, server.postfix) as session:
        session.ehlo()
        session.mail("eve@eve.example")
        for name in (f"nobody@{DOMAIN}", f"{forged}@{DOMAIN}"):
            await_true(lambda name=name: session.rcpt(name)[0] == 550, f"{name} is not refused")  # type: ignore[misc]
        # A mailbox of another domain on the same Postfix.
        assert session.rcpt("ann@mailbox.example")[0] == 250


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_nginx_hands_requests_on_as_the_page_says(shared_server: Server, tmp_path: Path) -> None:
    with running_nginx(tmp_path, shared_server.http) as port:
        assert status(port, "/") == 200
        assert status(port, "/login/", b"x" * 500_000) == 413


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_no_request_fails_behind_nginx_while_one_host_restarts_after_the_other(
    shared_server: Server, tmp_path: Path
) -> None:
    hosts = [free_port(), free_port()]
    webs = {port: start_web(shared_server, port) for port in hosts}
    statuses: list[int] = []
    ended = threading.Event()
    try:
        with running_nginx(tmp_path, *hosts) as port:

            def ask() -> None:
                while not ended.is_set():
                    statuses.append(status(port, "/health/"))

            asking = threading.Thread(target=ask)
            asking.start()
            stop_web(webs[hosts[0]], statuses)
            webs[hosts[0]] = start_web(shared_server, hosts[0])
            stop_web(webs[hosts[1]], statuses)
            ended.set()
            asking.join()
    finally:
        ended.set()
        for web in webs.values():
            web.kill()
            web.wait()
    assert set(statuses) == {200}


def start_web(server: Server, port: int) -> subprocess.Popen[bytes]:
    """Start one more web process of a server, and wait until it is ready."""
    words = [sys.executable, "-m", "sarsen", "web", f"{HOST}:{port}"]
    process = subprocess.Popen(words, env=server.environment)
    await_true(lambda: status(port, "/health/") == 200, "the web process never answered")
    return process


def stop_web(process: subprocess.Popen[bytes], statuses: Sequence[int]) -> None:
    """Stop a web process, and wait until some requests were made without it."""
    process.terminate()
    process.wait(120)
    asked = len(statuses)
    await_true(lambda: len(statuses) > asked + 5, "nobody asks")


@contextmanager
def running_nginx(folder: Path, *hosts: int) -> Iterator[int]:
    """Run nginx with the settings of the page before some web ports; yield its own port."""
    port = free_port()
    one_host = re.compile(r"server 127\.0\.0\.1:8000([^;]*);")
    text = one_host.sub(
        lambda found: " ".join(f"server {HOST}:{host}{found[1]};" for host in hosts),
        file_text("nginx"),
    )
    text = re.sub(r"listen \[::\]:443 ssl;|ssl_certificate\w* [^;]*;", "", text)
    text = text.replace("listen 443 ssl", f"listen {HOST}:{port}")
    paths = " ".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;"
        f"events {{}} http {{ access_log off; {paths}\n{text} }}"
    )
    assert NGINX is not None
    running = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
    try:
        await_true(lambda: status(port, "/health/") == 200, "nginx never answered")
        yield port
    finally:
        running.terminate()
        running.wait(120)


def status(port: int, path: str, body: bytes | None = None) -> int:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}{path}", body) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 0
