"""Clients that send the same again until they are answered, as mail servers and programs do."""

from __future__ import annotations

import http.client
import json
import smtplib
import threading
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

PAUSE = 0.02  # seconds before the same is sent again
PATIENCE = 240.0  # seconds until something must have been answered
COOKIE = "t" * 32  # what a form and its cookie have in common


@dataclass
class Book:
    """What was sent and what was answered: the truth that a server is held to.

    Attributes:
        mails: The Message-IDs that were answered 250, each with its board, ply and text.
        kept: What the API or the web answered with success, alike.
        repeats: How often the same was sent again, for want of an answer or on purpose.
        faults: Refusals, and whatever else should not have been answered.
        last_failure: Why something had to be sent again.
    """

    mails: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    kept: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    chats: list[tuple[int, str]] = field(default_factory=list)
    unanswered: int = 0
    repeats: int = 0
    faults: list[str] = field(default_factory=list)
    last_failure: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def answered(self) -> int:
        return len(self.mails) + len(self.kept)

    def note(self, fault: str) -> None:
        with self.lock:
            self.faults.append(fault)

    def again(self, *, unanswered: bool) -> None:
        with self.lock:
            self.repeats += 1
            self.unanswered += unanswered


class Mailer:
    """Hand mail over SMTP, over one connection as long as it holds."""

    def __init__(self, port: int, book: Book) -> None:
        self._port, self._book = port, book
        self._session: smtplib.SMTP | None = None

    def send(self, move: dict[str, Any], board: int, to: str, subject: str, body: str) -> str:
        """Send until it is answered 250; give the Message-ID."""
        name = f"<{board}.{move['ply']}@people.example>"
        message = EmailMessage()
        message["From"], message["To"] = move["address"], to
        message["Subject"], message["Message-ID"] = subject, name
        message.set_content(body)
        _until(
            lambda: self._hand_over(move["address"], to, message.as_bytes(policy=SMTP)), self._book
        )
        with self._book.lock:
            self._book.mails[name] = (board, move["ply"], move["text"])
        self._last = move["address"], to, message.as_bytes(policy=SMTP)
        return name

    def send_again(self) -> None:
        """Send the last mail once more, as a mail server does that has not seen the 250."""
        self._book.again(unanswered=False)
        _until(lambda: self._hand_over(*self._last), self._book)

    def hang_up(self, move: dict[str, Any], board: int, to: str, subject: str, body: str) -> None:
        """Send a mail and hang up before the answer is read."""
        message = EmailMessage()
        message["From"], message["To"] = move["address"], to
        message["Subject"] = subject
        message["Message-ID"] = f"<{board}.{move['ply']}@people.example>"
        message.set_content(body)
        self._book.again(unanswered=False)
        try:
            session = self._open()
            for line in (f"MAIL FROM:<{move['address']}>", f"RCPT TO:<{to}>", "DATA"):
                session.docmd(line)
            session.send(message.as_bytes(policy=SMTP) + b"\r\n.\r\n")
        except (OSError, smtplib.SMTPException):
            pass
        self.close()

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def _hand_over(self, sender: str, to: str, raw: bytes) -> bool:
        try:
            self._open().sendmail(sender, [to], raw)
            return True
        except smtplib.SMTPRecipientsRefused as refused:
            self._note_refusal(next(iter(refused.recipients.values())))
        except smtplib.SMTPResponseException as refused:
            self._note_refusal((refused.smtp_code, refused.smtp_error))
        except (OSError, smtplib.SMTPException) as lost:
            self._book.last_failure = repr(lost)
        self.close()
        return False

    def _note_refusal(self, answer: tuple[int, bytes]) -> None:
        self._book.last_failure = repr(answer)
        if answer[0] >= 500:  # the tables stop: to be sent again does not mend it
            self._book.note(f"a mail was refused: {answer!r}")

    def _open(self) -> smtplib.SMTP:
        if self._session is None:
            self._session = smtplib.SMTP("127.0.0.1", self._port, timeout=60)
        return self._session


class Browser:
    """Send a form of the web, or a request of a program, until it is answered."""

    def __init__(self, port: int, book: Book) -> None:
        self._port, self._book = port, book

    def call(self, move: dict[str, Any], path: str, asked: dict[str, Any], key: str) -> None:
        """Call the API as a program of the mover's."""
        headers = {
            "Authorization": f"Bearer {move['token']}",
            "Idempotency-Key": key,
            "Content-Type": "application/json",
        }
        body = json.dumps(asked).encode()
        _until(lambda: self._ask(f"/api/v1/{path}", headers, body, (200,)), self._book)

    def post(self, move: dict[str, Any], line: str, token: str) -> None:
        """Send the form of the command box as the mover's browser."""
        form = {"line": line, "token": token, "as": move["userid"], "csrfmiddlewaretoken": COOKIE}
        headers = {
            "Cookie": f"csrftoken={COOKIE}; sessionid={move['session']}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urllib.parse.urlencode(form).encode()
        _until(lambda: self._ask("/do/", headers, body, (200, 302)), self._book)

    def _ask(self, path: str, headers: dict[str, str], body: bytes, good: tuple[int, ...]) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as lost:
            self._book.last_failure = repr(lost)
            return False
        finally:
            connection.close()
        if answer.status in good:
            return True
        if answer.status < 500:
            self._book.note(f"{path}: {answer.status} {said[-300:]!r} to {body[:200]!r}")
            return True  # to be sent again does not mend it
        self._book.last_failure = f"{answer.status} {said[:200]!r}"
        if answer.status == 500:
            self._book.note(f"{path}: a defect was answered: 500")
        return False


def _until(done: Callable[[], bool], book: Book) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, f"never answered: {book.last_failure}"
        book.again(unanswered=True)
        time.sleep(PAUSE)
