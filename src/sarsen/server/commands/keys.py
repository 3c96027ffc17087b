"""The command that makes the key which letters are signed with."""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode
from pathlib import Path

import click
from cryptography.hazmat.primitives.asymmetric import ec

from sarsen.core.errors import UserError


@click.command("dkim-key")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--selector", default="sarsen", show_default=True, help="names the key in the DNS")
@click.option("--domain", envvar="SARSEN_DOMAIN", default="sarsen.localhost", show_default=True)
@click.option("--ed25519", is_flag=True, help="short, but few receivers can prove it yet")
def dkim_key_command(file: Path, selector: str, domain: str, ed25519: bool) -> None:
    """Make a key that signs letters (DKIM), and print the DNS record that proves it.

    A FILE that is there already is not touched: its record is printed again.
    """
    from sarsen.doors.mail.send.dkim_signing import dns_record, new_key
    from sarsen.server.doctor.mail import strings

    if not file.exists():
        _write(file, new_key(is_ed25519=ed25519))
    name, text = dns_record(_read(file), selector, domain)
    click.echo("The record, of type TXT, for the zone of the domain:\n")
    click.echo(f"{name}. IN TXT ({strings(text)})\n")
    click.echo("When it can be seen, start the server with\n")
    click.echo(f"SARSEN_DKIM_KEY={file.absolute()}")
    click.echo(f"SARSEN_DKIM_SELECTOR={selector}")


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


@click.command("push-key")
def push_key_command() -> None:
    """Make a key for notices on devices: a line for the server's environment.

    Keep it: devices that took notices under one key get none under another.
    """
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    key = urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
    click.echo(f"SARSEN_PUSH_KEY={key}")
