"""What somebody typed and could not send is kept in the session until it is sent."""

from __future__ import annotations

from django.http import HttpRequest

from sarsen.doors.web.speaker import speaker
from sarsen.doors.web.visiting import keep

_KEY = "draft"
LONGEST = 20_000  # characters


def keep_draft(request: HttpRequest, line: str, body: str, author: str) -> None:
    """Keep a line and the text below it for `author`, or for anybody when that is ""."""
    keep(request, _KEY, [line[:LONGEST], body[:LONGEST], author])


def kept_draft(request: HttpRequest) -> tuple[str, str]:
    """Return the line and the text that wait for whoever is logged in; "" when none do."""
    line, body, author = request.session.get(_KEY, ("", "", ""))
    player = speaker(request)
    if author and (player is None or player.userid != author):
        return "", ""
    return line, body


def has_draft(request: HttpRequest) -> bool:
    """Return whether something waits to be sent."""
    return any(kept_draft(request))


def forget_draft(request: HttpRequest) -> None:
    """Let go of what was sent."""
    if _KEY in request.session:
        del request.session[_KEY]
