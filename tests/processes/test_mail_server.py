"""The settings of docs/operating.md for Postfix and nginx, with the real programs.

A game is played through Debian's Postfix on a high port, in and out.
"""

from __future__ import annotations

import os
import re
import shutil
import smtplib
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from fences import fences
from processes.conftest import DOMAIN, PATIENCE, Relay, Server, await_true, free_port

pytestmark = pytest.mark.ci

PAGE = (Path(__file__).parents[2] / "docs/operating.md").read_text(encoding="utf-8")
FILES = {one.info.partition(" ")[2]: one.text for one in fences(PAGE)}
POSTFIX, NGINX = shutil.which("postfix", path="/usr/sbin"), shutil.which("nginx", path="/usr/sbin")
NO_POSTFIX = (
    "" if POSTFIX and os.geteuid() == 0 else "Postfix is not installed, or this user is not root"
)
HOST = "127.0.0.1"
# What a Postfix needs that runs beside another one, without names in the DNS.
BASE = """
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
maillog_file = {home}/log
maillog_file_prefixes = {home}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
local_recipient_maps =
smtp_dns_support_level = disabled
smtp_host_lookup = native
relayhost = [127.0.0.1]:{relay}
virtual_mailbox_domains = mailbox.example
virtual_mailbox_maps = inline:{{ ann@mailbox.example=ann }}
"""
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
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
    relay, port = Relay(), free_port()
    relay.controller.start()
    more = {"SARSEN_SMTP_URL": f"smtp://{HOST}:{port}"}
    server = ThroughPostfix(tmp_path / "data", relay, more)
    server.postfix = port
    # Not below tmp_path: pytest keeps that for its own user, and the user postfix has to get there.
    # A command that an earlier test ran in this process may have closed new files to others.
    mask = os.umask(0o022)
    home = Path(tempfile.mkdtemp(prefix="sarsen-postfix-"))
    home.chmod(0o755)
    for folder in (home / "queue", home / "data", home / "etc"):
        folder.mkdir()
    shutil.chown(home / "data", "postfix")
    documented = (
        FILES["main.cf"].replace("play.example.org", DOMAIN).replace("8024", str(server.lmtp))
    )
    base = BASE.format(home=home, relay=relay.controller.port)
    (home / "etc" / "main.cf").write_text(base + documented)
    (home / "etc" / "master.cf").write_text(MASTER.format(port=port))
    assert POSTFIX is not None
    words = [POSTFIX, "-c", str(home / "etc")]
    started = subprocess.run([*words, "start"], check=False, capture_output=True, text=True)
    os.umask(mask)
    assert started.returncode == 0, started.stderr + (home / "log").read_text()
    try:
        server.start()
        yield server
        server.stop()
    finally:
        if server.process is not None:
            server.process.kill()
        subprocess.run([*words, "stop"], check=False, capture_output=True)
        relay.controller.stop()
        shutil.rmtree(home)


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
    port = free_port()
    text = FILES["sarsen.conf"].replace("127.0.0.1:8000", f"{HOST}:{shared_server.http}")
    text = re.sub(r"listen \[::\]:443 ssl;|ssl_certificate\w* [^;]*;", "", text)
    text = text.replace("listen 443 ssl", f"listen {HOST}:{port}")
    paths = " ".join(
        f"{name}_temp_path {tmp_path}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;"
        f"events {{}} http {{ access_log off; {paths}\n{text} }}"
    )
    assert NGINX is not None
    running = subprocess.Popen([NGINX, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")])
    url = f"http://{HOST}:{port}"

    def status(path: str, body: bytes | None = None) -> int:
        try:
            with urllib.request.urlopen(f"{url}{path}", body) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except OSError:
            return 0

    try:
        await_true(lambda: status("/health/") == 200, "nginx never answered")
        assert status("/") == 200
        assert status("/login/", b"x" * 500_000) == 413
    finally:
        running.terminate()
        running.wait(PATIENCE)
