"""Replies about words to players."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MessageSent:
    """Private words are on their way to these players."""

    to: tuple[str, ...]


@dataclass(frozen=True)
class BroadcastAsked:
    """The server shows a broadcast to its author and asks whether it shall go out.

    Attributes:
        text: As everybody would get it.
        left_out: Whether quoted text or a signature was cut.
    """

    text: str
    left_out: bool


@dataclass(frozen=True)
class BroadcastSent:
    """A broadcast goes out to all who want broadcasts."""

    author: str


MessagesReply = MessageSent | BroadcastAsked | BroadcastSent
