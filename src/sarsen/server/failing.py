"""What the web and the API answer to what nobody can answer: each door in its own words."""

from __future__ import annotations

import sys

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.defaults import bad_request, page_not_found

from sarsen.doors.api.problems import show_failure as as_problem
from sarsen.doors.api.problems import show_unreadable
from sarsen.doors.web.failing import show_failure as as_page
from sarsen.doors.web.speaker import speaker
from sarsen.doors.web.stale import show_stale_form
from sarsen.services.failures import leave_if_broken
from sarsen.services.operating.roles import is_operator

API = "/api/"


def answer_unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that no browser or program of good will sends; Django's `handler400`."""
    if request.path.startswith(API):
        return show_unreadable()
    return bad_request(request, exception)


def answer_forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token; Django's `CSRF_FAILURE_VIEW`.

    For the operators' pages it is 404 to everybody else: any other page would tell that they are
    there.
    """
    operator = speaker(request)
    if request.path.startswith(f"/{settings.SARSEN_OPERATOR_PATH}") and not is_operator(operator):
        return page_not_found(request, Http404())
    return show_stale_form(request, reason)


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Answer for the exception that is just being handled; Django's `handler500`."""
    failure = leave_if_broken(sys.exc_info()[1])
    return as_problem(failure) if request.path.startswith(API) else as_page(failure)
