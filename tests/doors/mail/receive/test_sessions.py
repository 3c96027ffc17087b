"""Every session script is played to a real port, and each reply must be the one it says.

A script is lines in the order of the conversation; its name begins with the case it
belongs to, its ending says at which port it is played:

    C: TEXT      the client says TEXT and CR LF
    C- TEXT      the same without an end of line
    C* N TEXT    TEXT N times, without ends of lines
    S: TEXT      the next reply, several lines of it, ends with a line that begins with TEXT
    S* N TEXT    the same N times
    S-           the server has hung up
    = A > B      at the end: mail from A for B was stored, in this order and no other
    | TEXT       and this is what it says

In TEXT `\\r`, `\\n`, `\\0` and `\\xff` are the octets they name.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sarsen.doors.mail.receive.listener import STORED, BatchedStore, MailHandler
from sarsen.doors.mail.receive.sessions import LocalMailSession, MailSession, SessionLimit
from sarsen.services.mail.incoming import Delivery

SCRIPTS = sorted((Path(__file__).parents[1] / "sessions").iterdir())
PATIENCE = 120
DOMAIN = "sarsen.test"


@dataclass
class Shelf(BatchedStore):
    """Keep what would be stored; no database is needed to talk to a port."""

    kept: list[Delivery] = field(default_factory=list)

    async def store(self, deliveries: list[Delivery]) -> str:
        self.kept += deliveries
        return STORED


@dataclass
class Conversation:
    """Play one script, line by line."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def play(self, line: str) -> None:
        mark, _, text = line.partition(" ")
        count, words = 1, text
        if mark.endswith("*"):
            number, _, words = text.partition(" ")
            count = int(number)
        if mark in ("C:", "C-", "C*"):
            self.writer.write(octets(words) * count + b"\r\n" * (mark == "C:"))
        elif mark in ("S:", "S*"):
            for _ in range(count):
                assert (await self.reply()).startswith(words), line
        elif mark == "S-":
            assert await self.reply() == "", line
        else:
            raise ValueError(line)

    async def reply(self) -> str:
        """Return the last line of the next reply; "" when the other side has hung up."""
        while True:
            try:
                heard = await asyncio.wait_for(self.reader.readline(), PATIENCE)
            except ConnectionResetError:
                return ""
            if heard[3:4] != b"-":
                return heard.decode().rstrip("\r\n")


def octets(text: str) -> bytes:
    return text.encode("utf-8").decode("unicode_escape").encode("latin-1")


async def conversation(script: Path, lines: list[str]) -> list[Delivery]:
    """Play the lines to a port of its own; give what was stored."""
    shelf, running = Shelf(), set[MailSession]()
    kind = LocalMailSession if script.suffix == ".lmtp" else MailSession
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SessionLimit(
            lambda: kind(MailHandler(shelf), hostname=DOMAIN, ident="sarsen", loop=loop),
            running,
            10,
        ),
        "127.0.0.1",
        0,
    )
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for line in lines:
            await Conversation(reader, writer).play(line)
    finally:
        writer.close()
        server.close()
        while running:
            await asyncio.sleep(0)
    return shelf.kept


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: str(script.name))
def test_session_goes_as_its_script_says(script: Path) -> None:
    lines = [
        line
        for line in script.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    said = [line for line in lines if line[0] in "CS"]
    kept = asyncio.run(conversation(script, said))
    assert [f"= {one.envelope_sender} > {one.recipient}" for one in kept] == [
        line for line in lines if line[0] == "="
    ]
    contents = [octets(line[2:]) for line in lines if line[0] == "|"]
    assert not contents or [one.raw for one in kept] == contents


def test_every_script_says_how_its_session_ends() -> None:
    for script in SCRIPTS:
        assert script.suffix in (".smtp", ".lmtp")
        assert script.read_text(encoding="utf-8").startswith("# "), script.name
