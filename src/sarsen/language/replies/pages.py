"""Replies that are pages of prose."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HelpPage:
    """A page of help, Markdown."""

    title: str
    text: str


PageReply = HelpPage
