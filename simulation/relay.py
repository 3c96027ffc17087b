"""The relay of the month: takes letters, refuses dead addresses, notes both in a file.

Runs as a process of its own, since the month's clock is not its clock:
`python -m simulation.relay PORT FILE`.
"""

from __future__ import annotations

import argparse
import asyncio
import email
import json
import sys
from pathlib import Path
from typing import TextIO

from aiosmtpd.smtp import SMTP, Envelope, Session

DEAD = "@gone.example"
KEPT = ("Message-ID", "Reply-To", "Subject", "X-Sarsen", "To")


class NotingHandler:
    """Write one line of JSON a recipient."""

    def __init__(self, notes: TextIO) -> None:
        self._notes = notes

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse who has no mailbox here any more."""
        if address.endswith(DEAD):
            print(json.dumps({"refused": address}), file=self._notes, flush=True)
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Note the headers that tell what came, and how its reader answers it."""
        message = email.message_from_bytes(envelope.original_content or b"")
        note = {name: str(message[name]) for name in KEPT}
        for address in envelope.rcpt_tos:
            print(json.dumps({**note, "address": address}), file=self._notes, flush=True)
        return "250 OK"


async def _serve(port: int, path: Path) -> None:
    loop = asyncio.get_running_loop()
    with path.open("a", encoding="utf-8") as notes:
        handler = NotingHandler(notes)
        server = await loop.create_server(
            lambda: SMTP(handler, loop=loop, hostname="relay.example"), "127.0.0.1", port
        )
        print("ready", flush=True)
        # It ends with the process that started it.
        await loop.run_in_executor(None, sys.stdin.read)
        server.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m simulation.relay", description=__doc__)
    options.add_argument("port", type=int)
    options.add_argument("file", type=Path)
    asked = options.parse_args()
    asyncio.run(_serve(asked.port, asked.file))
