"""The command that makes the key of Web Push."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import click
from cryptography.hazmat.primitives.asymmetric import ec


@click.command("push-key")
def push_key_command() -> None:
    """Make a key for notices on devices: a line for the server's environment.

    Keep it: devices that took notices under one key get none under another.
    """
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    key = urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
    click.echo(f"SARSEN_PUSH_KEY={key}")
