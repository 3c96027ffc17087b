"""A Postfix of its own for a test, with the settings of docs/operating.md."""

from __future__ import annotations

import os
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from processes.conftest import DOMAIN, free_port
from sarsen.server.commands.configuration import file_text

POSTFIX = shutil.which("postfix", path="/usr/sbin")
NO_POSTFIX = (
    "" if POSTFIX and os.geteuid() == 0 else "Postfix is not installed, or this user is not root"
)
HOST = "127.0.0.1"
_LMTP = "127.0.0.1:8024"
# What a Postfix needs that runs beside another one, without names in the DNS.
_BASE = """
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
_MASTER = """
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


@contextmanager
def running_postfix(lmtp: str, relay: int) -> Iterator[int]:
    """Run a Postfix, and yield the port at which it takes mail.

    Args:
        lmtp: Where mail to the server goes: `HOST:PORT`, several parted by commas.
        relay: The port to which all other mail goes.
    """
    port = free_port()
    # Not below tmp_path: pytest keeps that for its own user, and the user postfix has to get there.
    # A command that an earlier test ran in this process may have closed new files to others.
    mask = os.umask(0o022)
    home = Path(tempfile.mkdtemp(prefix="sarsen-postfix-"))
    home.chmod(0o755)
    for folder in (home / "queue", home / "data", home / "etc"):
        folder.mkdir()
    shutil.chown(home / "data", "postfix")
    documented = file_text("postfix").replace("play.example.org", DOMAIN).replace(_LMTP, lmtp)
    base = _BASE.format(home=home, relay=relay)
    (home / "etc" / "main.cf").write_text(base + documented)
    (home / "etc" / "master.cf").write_text(_MASTER.format(port=port))
    assert POSTFIX is not None
    words = [POSTFIX, "-c", str(home / "etc")]
    started = subprocess.run([*words, "start"], check=False, capture_output=True, text=True)
    os.umask(mask)
    assert started.returncode == 0, started.stderr + (home / "log").read_text()
    try:
        yield port
    finally:
        subprocess.run([*words, "stop"], check=False, capture_output=True)
        shutil.rmtree(home)


def reply_to_recipient(port: int, name: str) -> int:
    """Return the code with which Postfix answers an address of the server."""
    with smtplib.SMTP(HOST, port) as session:
        session.ehlo()
        session.mail("eve@eve.example")
        return session.rcpt(f"{name}@{DOMAIN}")[0]
