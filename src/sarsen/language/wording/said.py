"""Find the words for a reply by its class."""

from __future__ import annotations

from functools import singledispatch


@singledispatch
def sentence(reply: object) -> str:
    """Say in one or a few sentences what a reply means.

    "" for replies that only show something, such as boards and tables.
    """
    return ""
