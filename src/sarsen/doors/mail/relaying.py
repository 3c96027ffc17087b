"""Hand messages to the relay over one connection, one after another.

Where the relay offers PIPELINING (RFC 2920) the envelope of a message goes out with the end of
the one before, so that each costs one round trip instead of four.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_PLAIN = re.compile(r"[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)*", re.ASCII)
_CLOSING = 421


@dataclass(frozen=True)
class Message:
    """A message for one address, with CRLF line ends, of ASCII only."""

    sender: str
    address: str
    raw: bytes


@dataclass(frozen=True)
class Refused:
    """What the relay said against a message, and whether against its address."""

    code: int
    text: str
    is_of_address: bool


def hand_over(connection: smtplib.SMTP, messages: Sequence[Message]) -> Iterator[Refused | None]:
    """Send messages; give for each in turn what was said against it, None when it was taken.

    Raises:
        OSError: The connection is lost; whether the next message was taken is not known.
        SMTPException: The relay takes no mail of ours now.
    """
    connection.ehlo_or_helo_if_needed()
    if connection.has_extn("pipelining"):
        yield from _pipelined(connection, messages)
    else:
        for message in messages:
            yield _alone(connection, message)


def _alone(connection: smtplib.SMTP, message: Message) -> Refused | None:
    try:
        connection.sendmail(message.sender, [message.address], message.raw)
    except smtplib.SMTPSenderRefused:
        raise  # nothing wrong with this message
    except smtplib.SMTPRecipientsRefused as refused:
        code, text = next(iter(refused.recipients.values()))
        found = Refused(code, _words(text), is_of_address=True)
    except smtplib.SMTPResponseException as refused:
        found = Refused(refused.smtp_code, _words(refused.smtp_error), is_of_address=False)
    else:
        return None
    if found.code == _CLOSING:  # the relay stops: nothing wrong with this message, either
        raise smtplib.SMTPServerDisconnected(found.text)
    return found


def _pipelined(connection: smtplib.SMTP, messages: Sequence[Message]) -> Iterator[Refused | None]:
    has_size = connection.has_extn("size")
    envelopes = [_envelope(message, has_size=has_size) for message in messages]
    envelopes.append(b"")  # behind the last comes nothing
    is_sent = False
    for number, message in enumerate(messages):
        if not is_sent:
            connection.send(envelopes[number])
        is_sent = False
        refused = _answer_to_envelope(connection, message)
        if refused is None:
            body = message.raw if message.raw.endswith(b"\r\n") else message.raw + b"\r\n"
            stuffed = (b"\n" + body).replace(b"\n.", b"\n..")[1:]
            connection.send(stuffed + b".\r\n" + envelopes[number + 1])
            is_sent = True
            code, text = _reply(connection)
            refused = None if code == 250 else Refused(code, _words(text), is_of_address=False)
        yield refused


def _envelope(message: Message, *, has_size: bool) -> bytes:
    sender, address = _in_brackets(message.sender), _in_brackets(message.address)
    size = f" SIZE={len(message.raw)}" if has_size else ""
    return f"MAIL FROM:{sender}{size}\r\nRCPT TO:{address}\r\nDATA\r\n".encode("ascii")


def _in_brackets(address: str) -> str:
    # The library parses each as if it came from a header, a name and comments perhaps with it.
    return f"<{address}>" if _PLAIN.fullmatch(address) else smtplib.quoteaddr(address)


def _answer_to_envelope(connection: smtplib.SMTP, message: Message) -> Refused | None:
    """Read what is said to all three commands; leave the connection ready for what follows."""
    sender, recipient, data = (_reply(connection) for _ in range(3))
    if sender[0] == 250 and recipient[0] in (250, 251) and data[0] == 354:
        return None
    if data[0] == 354:
        # It takes a message for nobody: one without a word ends that.
        connection.send(b".\r\n")
        _reply(connection)
    connection.rset()
    if sender[0] != 250:
        raise smtplib.SMTPSenderRefused(*sender, message.sender)
    is_of_address = recipient[0] not in (250, 251)
    code, text = recipient if is_of_address else data
    return Refused(code, _words(text), is_of_address)


def _reply(connection: smtplib.SMTP) -> tuple[int, bytes]:
    code, text = connection.getreply()
    if code == _CLOSING:
        raise smtplib.SMTPServerDisconnected(_words(text))
    return code, text


def _words(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text
