"""What players do, and the things on their way to the server that say it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Deed:
    """Something a player wants.

    Attributes:
        what: `move`, `chat`, `draw` …; `clocks` is the server's own looking after them.
        board: None where it is about none.
        text: The move, or the words.
        ply, event: The position it is meant for; None: whatever stands.
        number: Of a challenge.
        line: What the deed is as a typed line, without speaker.
    """

    what: str
    by: str
    board: int | None = None
    text: str = ""
    ply: int | None = None
    event: int | None = None
    number: int | None = None
    line: str = ""


@dataclass
class Parcel:
    """A mail, a form, a call or a typed line; it may be delivered any number of times.

    Attributes:
        identity: Under which the server knows it again; "" where each delivery is a new one.
        content: What else decides whether it is the same request.
        answers: What the door said to deliveries that were acknowledged, in order.
    """

    door: str
    deed: Deed
    identity: str
    content: str
    facts: dict[str, Any] = field(default_factory=dict)
    answers: list[object] = field(default_factory=list)
    deliveries: int = 0

    def __str__(self) -> str:
        return f"{self.door} {self.deed.by}: {self.deed.line} [{self.identity}]"


def mail(
    deed: Deed, sender: str, to: str, body: str, message_id: str, *, is_bounce: bool = False
) -> Parcel:
    """Write a mail."""
    raw = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Re: board\r\nMessage-ID: <{message_id}>\r\n"
        f"In-Reply-To: <x@sarsen.test>\r\n\r\n{body}\r\n\r\n> old words\r\n> a1\r\n"
    )
    facts = {"sender": "" if is_bounce else sender, "to": to, "raw": raw.encode()}
    return Parcel("mail", deed, f"{message_id} {to}", body, {**facts, "id": f"<{message_id}>"})


def form(deed: Deed, path: str, fields: list[tuple[str, str]]) -> Parcel:
    """Fill in a form of a page."""
    said = [pair for pair in fields if pair[0] not in ("csrfmiddlewaretoken", "back", "as")]
    content = json.dumps(said)
    return Parcel(
        "web", deed, f"web {deed.by} {content}", content, {"path": path, "fields": fields}
    )


def call(deed: Deed, path: str, asked: dict[str, Any], key: str) -> Parcel:
    """Make a call of the API; without a key each is a new one."""
    content = f"{path} {json.dumps(asked)}"
    identity = f"api {deed.by} {key}" if key else ""
    return Parcel("api", deed, identity, content, {"path": path, "asked": asked, "key": key})


def typed(deed: Deed) -> Parcel:
    """Type a line at the server's own terminal."""
    return Parcel("do", deed, "", deed.line)
