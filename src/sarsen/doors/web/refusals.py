"""A `UserError` becomes a page that says what was refused, and what would work."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.core.errors import UserError
from sarsen.doors.web.hints import read_hint
from sarsen.doors.web.speaker import speaker

# Other than 404.
_STATUS = {"too-much": 429, "busy": 503, "takes-too-long": 503}
View = Callable[..., HttpResponse]


def explains_refusals(view: View) -> View:
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
    return _STATUS.get(refusal.code, 404)


def show_refusal(request: HttpRequest, refusal: UserError, *, status: int) -> HttpResponse:
    """Show a refusal as a page."""
    player = speaker(request)
    hint = read_hint(refusal.hint, player.userid if player else "")
    return render(request, "web/refused.html", {"refusal": refusal, "hint": hint}, status=status)
