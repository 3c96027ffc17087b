"""`sarsen mail deliver`: one message from the pipe of a mail server."""

from __future__ import annotations

import sys
from itertools import islice

import click

from sarsen.core.errors import UserError

TEMPORARY = 75  # EX_TEMPFAIL: a mail server keeps the message and tries again
PIECE = 64 * 1024  # octets read at once
TOO_LARGE = 65  # EX_DATAERR
NO_SUCH_USER = 67  # EX_NOUSER


@click.group("mail")
def mail_command() -> None:
    """Mail from a mail server's pipe."""


@mail_command.command()
@click.option("--sender", default=None, help="Envelope sender; the mail server knows it.")
@click.argument("recipients", nargs=-1)
def deliver(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one message from standard input: `sarsen mail deliver < message`.

    Exits 0 when it is stored, 65 when it is too large, 67 when it is not for this server,
    and 75 when the mail server shall keep it and try again.
    """
    try:
        from sarsen.server.setup import set_up_privately

        set_up_privately()
        from sarsen.doors.mail.receive.attachments import MOST_RECEIVED
        from sarsen.doors.mail.receive.delivery import deliver as deliver_message
        from sarsen.server.releases import require_own_tables

        require_own_tables()
        pieces = islice(iter(lambda: sys.stdin.buffer.read(PIECE), b""), MOST_RECEIVED // PIECE + 1)
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
