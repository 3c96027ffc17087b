"""A relay that notes every copy it takes, and lets a test strike at the exact moment."""

from __future__ import annotations

import email
import threading
from collections import defaultdict
from collections.abc import Callable

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from processes.conftest import free_port


class NotingRelay:
    """Take mail, and keep of each copy what tells it from others.

    Attributes:
        copies: By Message-ID, each copy as its address and its subject. A letter is worded
            when it goes: a second copy may tell of a board that has moved on.
        refuses: Returns the answer to a recipient; "" to accept.
        on_taken: Called with a copy in hand, before its 250 is said.
        on_next: Called when the same session goes on after a 250.
    """

    def __init__(self) -> None:
        self.copies: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self.answers: defaultdict[str, list[str]] = defaultdict(list)
        self.order: list[tuple[str, str]] = []
        self.refuses: Callable[[str], str] = lambda address: ""
        self.on_taken: Callable[[], None] = lambda: None
        self.on_next: Callable[[], None] = lambda: None
        self.lock = threading.Lock()
        self.port = free_port()
        self._controller: Controller | None = None

    def __enter__(self) -> NotingRelay:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def close(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if getattr(session, "has_given", False):
            self.on_next()
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        refused = self.refuses(address)
        if refused:
            return refused
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        raw = envelope.original_content or b""
        message = email.message_from_bytes(raw)
        name, subject = str(message["Message-ID"]), str(message["Subject"])
        with self.lock:
            for address in envelope.rcpt_tos:
                self.copies[name].append((address, subject))
                self.order.append((address, subject))
                self.answers[str(message["In-Reply-To"])].append(name)
        session.has_given = True
        self.on_taken()
        return "250 OK"

    @property
    def doubles(self) -> int:
        """Return how many copies came beyond the first of each letter."""
        return sum(len(copies) - 1 for copies in self.copies.values())

    def faults(self) -> list[str]:
        """Name letters whose copies are not the same letter to the same reader."""
        return [
            f"copies of {name} differ"
            for name, copies in self.copies.items()
            if len(set(copies)) > 1
        ]
