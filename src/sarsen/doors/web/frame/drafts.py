"""Drafts: a line and the text below it, kept in the session until its author logs in."""

from __future__ import annotations

from django.http import HttpRequest

from sarsen.doors.web.frame.visitors import speaker, store_in_session

_KEY = "draft"
LONGEST = 20_000  # characters


def keep_draft(request: HttpRequest, line: str, body: str, author: str) -> None:
    """Keep a line and the text below it for `author`, or for anybody when that is ""."""
    store_in_session(request, _KEY, [line[:LONGEST], body[:LONGEST], author])


def kept_draft(request: HttpRequest) -> tuple[str, str]:
    """Return the line and the text that wait for the logged-in player; "" when none do."""
    line, body, author = request.session.get(_KEY, ("", "", ""))
    player = speaker(request)
    if author and (player is None or player.userid != author):
        return "", ""
    return line, body


def has_draft(request: HttpRequest) -> bool:
    """Return whether something waits to be sent."""
    return any(kept_draft(request))


def forget_draft(request: HttpRequest) -> None:
    """Delete what was sent."""
    if _KEY in request.session:
        del request.session[_KEY]
