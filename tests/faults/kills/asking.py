"""One try at each door, and what it was answered; nothing is sent again by itself."""

from __future__ import annotations

import http.client
import json
import smtplib
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any
from urllib.parse import urlencode

from faults.kills.clients import COOKIE
from faults.kills.household import Household


@dataclass(frozen=True)
class Answered:
    """What a door said: its status, its words, and after how many seconds to come again."""

    status: int
    words: str
    wait: str = ""


class CutOff(Exception):
    """Note that a mail was handed over and not answered."""


def mail(house: Household, board: dict[str, Any], ply: int) -> Answered:
    """Send the move of a ply as an answer to its letter, once."""
    move = board["moves"][ply - 1]
    message = EmailMessage()
    message["From"], message["To"] = move["address"], move["signed"]
    message["Subject"] = f"Re: Board {board['board']}"
    message["Message-ID"] = name_of(board, ply)
    message.set_content(f"{move['text']}\n\n> quoted\n")
    try:
        with smtplib.SMTP("127.0.0.1", house.smtp, timeout=90) as session:
            session.ehlo()
            session.mail(move["address"])
            session.rcpt(move["signed"])
            return _handed_over(session, message.as_bytes(policy=SMTP))
    except smtplib.SMTPResponseException as refused:
        return Answered(refused.smtp_code, bytes(refused.smtp_error).decode())
    except (smtplib.SMTPServerDisconnected, ConnectionError) as cut:
        # The client knows that nothing was taken.
        return Answered(0, str(cut))


def _handed_over(session: smtplib.SMTP, raw: bytes) -> Answered:
    """Send the text, after which only an answer tells whether it was taken.

    Raises:
        CutOff: There was none.
    """
    code, words = session.docmd("DATA")
    if code != 354:
        return Answered(code, words.decode())
    try:
        session.send(raw + b"\r\n.\r\n")
        code, words = session.getreply()
    except (smtplib.SMTPServerDisconnected, ConnectionError) as cut:
        raise CutOff(str(cut)) from None
    return Answered(code, words.decode())


def name_of(board: dict[str, Any], ply: int) -> str:
    return f"<{board['board']}.{ply}@people.example>"


def program(house: Household, board: dict[str, Any], ply: int) -> Answered:
    """Play the move of a ply by the API, once, under a key of its own."""
    move = board["moves"][ply - 1]
    line = f"{board['game']} move {board['board']} {move['text']}#{ply}"
    headers = {
        "Authorization": f"Bearer {move['token']}",
        "Idempotency-Key": f"{board['board']}.{ply}",
        "Content-Type": "application/json",
    }
    return ask(house, "POST", "/api/v1/line", headers, json.dumps({"line": line}).encode())


def page(house: Household, board: dict[str, Any], ply: int) -> Answered:
    """Play the move of a ply by a form, once."""
    move = board["moves"][ply - 1]
    line = f"{board['game']} move {board['board']} {move['text']}#{ply}"
    token = f"{1_700_000_000 + ply:08x}-{board['board']:016x}"
    form = {"line": line, "token": token, "as": move["userid"], "csrfmiddlewaretoken": COOKIE}
    headers = {
        "Cookie": f"csrftoken={COOKIE}; sessionid={move['session']}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return ask(house, "POST", "/do/", headers, urlencode(form).encode())


def ask(
    house: Household,
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    body: bytes | None = None,
) -> Answered:
    """Ask the web process for something."""
    connection = http.client.HTTPConnection("127.0.0.1", house.http, timeout=90)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        wait = answer.headers.get("Retry-After", "")
        return Answered(answer.status, answer.read().decode(), wait)
    finally:
        connection.close()
