"""A `UserError` becomes a page that says what was refused, and what would work."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from urllib.parse import unquote_plus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from sarsen.core.errors import (
    BadOption,
    IllegalMove,
    UnreadableMove,
    UnreadablePosition,
    UserError,
)
from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.hints import read_hint
from sarsen.doors.web.frame.visitors import speaker
from sarsen.services.limits.processor_time import RETRY_SECONDS
from sarsen.services.store_failures import Failure

UNREADABLE = 422  # the status where what an address or a form holds cannot be read
# Other than 404.
_STATUS = {
    "too-much": 429,
    "busy": 503,
    "takes-too-long": 503,
    **dict.fromkeys(
        ("practice-long", "practice-size", "position-options", "setup-long", "position-here"), 422
    ),
}
_OF_LINE = (IllegalMove, UnreadableMove, UnreadablePosition, BadOption)
_HEADINGS = {
    404: Phrase("Not found"),
    422: Phrase("That does not work"),
    429: Phrase("Too much at once"),
    503: Phrase("Busy at the moment"),
}
View = Callable[..., HttpResponse]


def with_refusal_pages(view: View) -> View:
    """Answer 404 with the words of the refusal; other statuses are in `status_of`."""

    @wraps(view)
    def explaining(request: HttpRequest, **address: object) -> HttpResponse:
        try:
            return view(request, **address)
        except UserError as refusal:
            return show_refusal(request, refusal, status=status_of(refusal))

    return explaining


def status_of(refusal: UserError) -> int:
    """Return the HTTP status of a page that shows a refusal."""
    return _STATUS.get(refusal.code, 422 if isinstance(refusal, _OF_LINE) else 404)


def show_refusal(
    request: HttpRequest, refusal: UserError, *, status: int, address: str = ""
) -> HttpResponse:
    """Show a refusal as a page.

    Args:
        address: The nearest address that works, in place of the hint; "" for none.
    """
    player = speaker(request)
    hint = read_hint(refusal.hint, player.userid if player else "")
    facts = {
        "refusal": refusal,
        "hint": hint,
        "working_address": address,
        "readable_address": unquote_plus(address),
        "heading": _HEADINGS.get(status, _HEADINGS[422]),
    }
    response = render(request, "web/site/refused.html", facts, status=status)
    if refusal.code == "busy":
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


def refuse_address(
    request: HttpRequest, refusal: UserError, nearest: Callable[[], str]
) -> HttpResponse:
    """Show why an address cannot be read, and the nearest one that works.

    Args:
        nearest: Returns it; asked only where the address is at fault, not where time is short.
    """
    status = status_of(refusal)
    other = nearest() if status == UNREADABLE else ""
    return show_refusal(request, refusal, status=status, address=other)


# Seconds: a full disk needs an operator, a database that is away mostly a restart.
RETRY_AFTER = {Failure.FULL: 300, Failure.AWAY: 10, Failure.BROKEN: 10}  # seconds


def show_failure(failure: Failure | None) -> HttpResponse:
    """Answer that the database failed, or apologise for a defect.

    Nothing of the site is asked for: its database may be what is away.
    """
    if failure is None:
        return HttpResponse(render_to_string("500.html"), status=500)
    is_full = failure is Failure.FULL
    page = render_to_string("web/site/failed.html", {"is_full": is_full})
    response = HttpResponse(page, status=507 if is_full else 503)
    response["Retry-After"] = str(RETRY_AFTER[failure])
    response["Cache-Control"] = "no-store"
    return response
