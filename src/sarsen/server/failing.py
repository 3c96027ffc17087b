"""What the web and the API answer to what nobody can answer: each door in its own words."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.views.defaults import bad_request

from sarsen.doors.api.problems import show_failure as as_problem
from sarsen.doors.api.problems import show_unreadable
from sarsen.doors.web.failing import show_failure as as_page
from sarsen.services.failures import leave_if_broken

API = "/api/"


def answer_unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that no browser or program of good will sends; Django's `handler400`."""
    if request.path.startswith(API):
        return show_unreadable()
    return bad_request(request, exception)


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Answer for the exception that is just being handled; Django's `handler500`."""
    failure = leave_if_broken(sys.exc_info()[1])
    return as_problem(failure) if request.path.startswith(API) else as_page(failure)
