"""A line sent to a server, and what it answers, before anybody has read it as facts.

Apart from `client.py`, because a terminal that only prints needs none of the classes there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from sarsen.client.transport import Transport


@dataclass(frozen=True)
class Said:
    """What a server answers.

    Attributes:
        text: In words, with the boards it shows.
        facts: The reply as `language.replies.encode` made it.
    """

    text: str
    facts: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The name of the reply's class."""
        return str(self.facts.get("kind", ""))


def speak(
    transport: Transport, line: str, body: str = "", *, board: int | None = None, matter: str = ""
) -> Said:
    """Send a line; done once, also when it has to be sent twice.

    Args:
        body: The lines below it.
        board, matter: What it answers, when it is a bare `yes` or a bare move.

    Raises:
        Refused, Unreachable: As `Transport.ask`.
    """
    asked = {"line": line, "body": body, "board": board, "matter": matter}
    return said(transport, transport.ask("POST", "line", asked, new_key()))


def said(transport: Transport, found: Any) -> Said:
    """Take an answer to a command.

    Raises:
        Unreachable: It is something else.
    """
    try:
        return Said(str(found["text"]), dict(found["reply"]))
    except (TypeError, KeyError, ValueError):
        raise transport.unreachable("what answers there is none") from None


def new_key() -> str:
    """Return a key under which a request is done once."""
    return uuid4().hex
