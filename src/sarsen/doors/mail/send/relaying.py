"""Hand messages over to a relay, in as few round trips as it allows.

Where the relay offers PIPELINING (RFC 2920) the envelope of a message goes out with the end of the
one before, so that each costs one round trip instead of four.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sarsen.services.mail.reply_addresses import without_signatures

# Addresses that need no parsing; see `_in_brackets`.
_PLAIN = re.compile(r"[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)*", re.ASCII)
_TAKEN = 250
_CLOSING = 421  # the relay ends the session: what follows needs another one


@dataclass(frozen=True)
class Message:
    """A message for one address, with CRLF line ends, of ASCII only."""

    sender: str
    address: str
    raw: bytes


@dataclass(frozen=True)
class RelayReply:
    """The reply of a relay to one message.

    Attributes:
        is_of_address: Whether a refusal concerns the address, and not the message.
    """

    code: int
    text: str
    is_of_address: bool = False

    @property
    def is_taken(self) -> bool:
        """Whether the relay is responsible for the message from now on."""
        return self.code == _TAKEN


def hand_over(connection: smtplib.SMTP, messages: Sequence[Message]) -> Iterator[RelayReply]:
    """Send messages; return the reply to each in turn.

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


def reason_of(failure: OSError) -> str:
    """Return why a relay took no mail, in its own words where it has said some."""
    if isinstance(failure, smtplib.SMTPResponseException):
        reason = f"{failure.smtp_code} {_words(failure.smtp_error)}"
    elif isinstance(failure, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(failure.recipients.values()))
        reason = f"{code} {_words(text)}"
    else:
        reason = str(failure)
    return without_signatures(f"{type(failure).__name__}: {reason}".removesuffix(": "))


def _alone(connection: smtplib.SMTP, message: Message) -> RelayReply:
    size = [f"size={len(message.raw)}"] if connection.has_extn("size") else []
    code, text = connection.mail(message.sender, size)
    if code != _TAKEN:
        if code != _CLOSING:
            connection.rset()
        raise smtplib.SMTPSenderRefused(code, text, message.sender)
    code, text = connection.rcpt(message.address)
    reply = RelayReply(code, _words(text), is_of_address=True)
    if code in (_TAKEN, 251):
        try:
            code, text = connection.data(message.raw)
        except smtplib.SMTPDataError as error:
            code, text = error.smtp_code, error.smtp_error  # type: ignore[assignment]
        reply = RelayReply(code, _words(text))
    if reply.code == _CLOSING:  # the relay stops: nothing wrong with this message
        raise smtplib.SMTPServerDisconnected(reply.text)
    if not reply.is_taken:
        connection.rset()
    return reply


def _pipelined(connection: smtplib.SMTP, messages: Sequence[Message]) -> Iterator[RelayReply]:
    has_size = connection.has_extn("size")
    envelopes = [_envelope(message, has_size=has_size) for message in messages]
    envelopes.append(b"")  # behind the last comes nothing
    is_sent = False
    for number, message in enumerate(messages):
        if not is_sent:
            connection.send(envelopes[number])
        is_sent = False
        reply = _refusal_of_envelope(connection, message)
        if reply is None:
            body = message.raw if message.raw.endswith(b"\r\n") else message.raw + b"\r\n"
            stuffed = (b"\n" + body).replace(b"\n.", b"\n..")[1:]
            connection.send(stuffed + b".\r\n" + envelopes[number + 1])
            is_sent = True
            code, text = _reply(connection)
            reply = RelayReply(code, _words(text))
        yield reply


def _envelope(message: Message, *, has_size: bool) -> bytes:
    sender, address = _in_brackets(message.sender), _in_brackets(message.address)
    size = f" SIZE={len(message.raw)}" if has_size else ""
    return f"MAIL FROM:{sender}{size}\r\nRCPT TO:{address}\r\nDATA\r\n".encode("ascii")


def _in_brackets(address: str) -> str:
    # The library parses each as if it came from a header, a name and comments perhaps with it.
    return f"<{address}>" if _PLAIN.fullmatch(address) else smtplib.quoteaddr(address)


def _refusal_of_envelope(connection: smtplib.SMTP, message: Message) -> RelayReply | None:
    """Read the replies to all three commands; return the one that refuses, or None."""
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
    return RelayReply(code, _words(text), is_of_address)


def _reply(connection: smtplib.SMTP) -> tuple[int, bytes]:
    code, text = connection.getreply()
    if code == _CLOSING:
        raise smtplib.SMTPServerDisconnected(_words(text))
    return code, text


def _words(text: bytes | str) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text
