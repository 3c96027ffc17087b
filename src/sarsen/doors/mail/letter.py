"""What a letter says, before it becomes a message."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attachment:
    """A file that goes with a letter.

    Attributes:
        kind: `plain` for text; else a subtype of `application`.
    """

    name: str
    content: bytes
    kind: str


@dataclass(frozen=True)
class Written:
    """Text of a person, which a letter shows as written, without markup."""

    text: str


@dataclass(frozen=True)
class Letter:
    """The content of a letter.

    Attributes:
        text: Prose, which is wrapped and laid out as HTML where there is none.
        parts: In place of a text that has words of people in it; text and HTML are made of them.
        repeats: What its reader has written, so that they may well write it again.
        reply_to: Where an answer goes: None for the reader's own address, "" for the main one.
        thread: A word that is the same for all letters of one board; may be empty.
        pictures: Pairs of what the HTML part calls a picture, as in `cid:board`, and its PNG.
        is_answer: Whether it answers a mail, or tells something unasked.
        unsubscribe: The one-click address, for letters one can do without.
        archive: The page where anybody can read it again, for letters to everybody.
    """

    subject: str
    text: str
    html: str = ""
    reply_to: str | None = None
    thread: str = ""
    pictures: tuple[tuple[str, bytes], ...] = ()
    is_answer: bool = False
    unsubscribe: str = ""
    archive: str = ""
    attachment: Attachment | None = None
    parts: tuple[str | Written, ...] = ()
    repeats: str = ""
