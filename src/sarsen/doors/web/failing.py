"""Pages for when the store fails: what is wrong, and that it may be sent again."""

from __future__ import annotations

from django.http import HttpResponse
from django.template.loader import render_to_string

from sarsen.services.failures import Failure

RETRY_AFTER = {Failure.FULL: 300, Failure.AWAY: 10, Failure.BROKEN: 10}  # seconds


def show_failure(failure: Failure | None) -> HttpResponse:
    """Say that the store failed, or, of a defect, that it is our fault.

    Nothing of the site is asked for: its database may be what is away.
    """
    if failure is None:
        return HttpResponse(render_to_string("500.html"), status=500)
    is_full = failure is Failure.FULL
    page = render_to_string("web/failed.html", {"is_full": is_full})
    response = HttpResponse(page, status=507 if is_full else 503)
    response["Retry-After"] = str(RETRY_AFTER[failure])
    response["Cache-Control"] = "no-store"
    return response
