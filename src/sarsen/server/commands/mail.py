"""`sarsen mail deliver`: one message from a mail server's pipe; keys of letters and notices."""

from __future__ import annotations

import os
import sys
from base64 import urlsafe_b64encode
from itertools import islice
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric import ec

from sarsen.core.errors import UserError

TEMPORARY = 75  # EX_TEMPFAIL: a mail server keeps the message and tries again
PIECE = 64 * 1024  # octets read at once
TOO_LARGE = 65  # EX_DATAERR
NO_SUCH_USER = 67  # EX_NOUSER


@click.group("mail")
def mail_command() -> None:
    """Receive mail from a mail server's pipe."""


@mail_command.command()
@click.option("--sender", default=None, help="Envelope sender.")
@click.argument("recipients", nargs=-1)
def deliver(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Store one message from standard input: `sarsen mail deliver < message`.

    The exit status is 0 if it is stored, 65 if it is too large, 67 if it is not for this server,
    and 75 if the mail server should try again later.
    """
    try:
        from sarsen.server.setup import set_up_privately

        set_up_privately()
        from sarsen.doors.mail.receive.attachments import MAX_RECEIVED
        from sarsen.doors.mail.receive.delivery import deliver as deliver_message
        from sarsen.server.releases import require_own_tables

        require_own_tables()
        pieces = islice(iter(lambda: sys.stdin.buffer.read(PIECE), b""), MAX_RECEIVED // PIECE + 1)
        deliver_message(pieces, sender, recipients)
    except UserError as refusal:
        click.echo(f"sarsen: {refusal.text} [{refusal.code}]", err=True)
        if refusal.hint:
            click.echo(f"  {refusal.hint}", err=True)
        # Anything else is wrong here, not with the mail.
        at_fault = {"not-ours": NO_SUCH_USER, "mail-too-large": TOO_LARGE}
        sys.exit(at_fault.get(refusal.code, TEMPORARY))
    except Exception as failed:  # whatever it is, the mail must not be lost
        # What a failure says of itself may hold words of the mail, a password among them.
        reason = failed if isinstance(failed, OSError) else type(failed).__name__
        click.echo(f"sarsen: not stored, try again later: {reason}", err=True)
        sys.exit(TEMPORARY)


@click.command("dkim-key")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--selector", default="sarsen", show_default=True, help="Name of the key in the DNS.")
@click.option("--domain", envvar="SARSEN_DOMAIN", default="sarsen.localhost", show_default=True)
@click.option("--ed25519", is_flag=True, help="Use a short key, which few receivers support yet.")
def dkim_key_command(file: Path, selector: str, domain: str, ed25519: bool) -> None:
    """Create a DKIM key to sign outgoing mail, and print its DNS record.

    An existing FILE is not changed; its record is printed again.
    """
    from sarsen.doors.mail.send.dkim_signing import dns_record, new_key, strings

    if not file.exists():
        _write(file, new_key(is_ed25519=ed25519))
    name, text = dns_record(_read(file), selector, domain)
    click.echo("Add this TXT record to the zone of the domain:\n")
    click.echo(f"{name}. IN TXT ({strings(text)})\n")
    click.echo("When it is published, start the server with\n")
    click.echo(f"SARSEN_DKIM_KEY={file.absolute()}")
    click.echo(f"SARSEN_DKIM_SELECTOR={selector}")


@click.command("push-key")
def push_key_command() -> None:
    """Create a key for push notifications: a line for the server's environment.

    Keep it: with a new key, all devices have to subscribe again.
    """
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    key = urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
    click.echo(f"SARSEN_PUSH_KEY={key}")


def _write(file: Path, pem: str) -> None:
    """Keep a new key where this user alone can read it."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="ascii") as opened:
            opened.write(pem)
    except OSError as refused:
        raise _unusable(file, refused) from None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as refused:
        raise _unusable(file, refused) from None


def _unusable(file: Path, refused: OSError) -> UserError:
    text = f"The file {file} cannot be used: {refused.strerror}."
    return UserError(text, code="dkim-file", hint="sarsen dkim-key dkim.pem")
