"""A relay without a network: it takes letters, is away, or sees its client die."""

from __future__ import annotations

import email
import email.policy
import smtplib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from faults.one_effect.killing import die_now


@dataclass(frozen=True)
class Letter:
    """A letter that arrived: to whom, and what a reply to it needs."""

    address: str
    message_id: str
    reply_to: str
    subject: str
    kind: str
    raw: bytes

    @property
    def number(self) -> int:
        """The number of the letter at the server, which stands in its Message-ID."""
        return int(self.message_id.split(".")[1])


@dataclass
class Relay:
    """What `sending` believes to be a connection to the relay, and the mailboxes behind it.

    Attributes:
        is_away: It takes no connection.
        dies_after: The sender dies when the relay has taken so many letters; 0: never.
    """

    letters: list[Letter] = field(default_factory=list)
    taken: Counter[int] = field(default_factory=Counter)
    is_away: bool = False
    dies_after: int = 0

    @property
    def connection(self) -> Line:
        return Line(self)

    def open(self) -> None:
        """Take a connection."""
        if self.is_away:
            raise ConnectionRefusedError("away")

    def close(self) -> None:
        """End it."""

    def take(self, recipient: str, raw: bytes) -> None:
        """Take a letter."""
        parsed = email.message_from_bytes(raw, policy=email.policy.compat32)
        letter = Letter(
            address=recipient,
            message_id=str(parsed["Message-ID"]),
            reply_to=str(parsed["Reply-To"]),
            subject=str(parsed["Subject"]),
            kind=str(parsed["X-Sarsen"]),
            raw=raw,
        )
        self.letters.append(letter)
        self.taken[letter.number] += 1
        if self.dies_after:
            self.dies_after -= 1
            if not self.dies_after:
                die_now()

    def box(self, address: str) -> list[Letter]:
        """Return what somebody got, the newest first."""
        return [letter for letter in reversed(self.letters) if letter.address == address]


class Line(smtplib.SMTP):
    """A connection that needs no network; it offers no extensions."""

    def __init__(self, relay: Relay) -> None:
        super().__init__()
        self._relay = relay

    def ehlo_or_helo_if_needed(self) -> None:
        """Send no greeting: nobody listens."""

    def mail(self, sender: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Take any sender."""
        return 250, b"OK"

    def rcpt(self, recip: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        """Take any recipient."""
        self._recipient = recip
        return 250, b"OK"

    def data(self, msg: object) -> tuple[int, bytes]:
        """Take a letter."""
        assert isinstance(msg, bytes)
        self._relay.take(self._recipient, msg)
        return 250, b"OK"
