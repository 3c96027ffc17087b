"""Bound the processor time that visitors may take: people without an account, guests among them.

One place on the net has so many seconds within five minutes, whatever its requests ask for, and
trying moves takes at most a second of one request (`services.time_limits`). People who are
logged in are not bounded here, and neither is logging in.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.defaults import bad_request, page_not_found

from sarsen.core.errors import PluginFailure, UserError
from sarsen.doors.api.problems import problem, show_unreadable
from sarsen.doors.api.problems import show_failure as as_problem
from sarsen.doors.web.site.command_box import show_stale_form
from sarsen.doors.web.site.errors import show_failure as as_page
from sarsen.doors.web.site.errors import show_refusal, status_of
from sarsen.doors.web.site.visitors import has_account, speaker
from sarsen.isolation.allowance import (
    PLAYER_SECONDS,
    VISITOR_SECONDS,
    Allowance,
    plugins_within,
)
from sarsen.services.accounts.attempts import network_of, place_of
from sarsen.services.admin.roles import OPERATOR_PATH, is_operator
from sarsen.services.crash_log import leave_if_broken
from sarsen.services.limits import Allowances
from sarsen.services.time_limits import ProcessorBudget, refusal_of

# Of the processor, that requests of visitors from one place on the net may take within WITHIN.
PROCESSOR_SECONDS = 30.0
WITHIN = 300.0  # seconds
_CHEAP = 0.01  # seconds of a request with a session's cookie
_RETRY_AFTER = 60  # seconds
_REFUSED = "is_refused"
# Names of addresses that are never refused.
_FREE = {"health", "due-health", "metrics"}
_FREE |= {"login", "login-code", "login-link", "login-passkey", "login-passkey-question"}
_FREE |= {"api:login", "api:login-code"}


class BoundVisitors:
    """Refuse requests of visitors whose place has used up its processor time; a middleware."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer
        self._allowances = Allowances(PROCESSOR_SECONDS, WITHIN)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began, budget = time.thread_time(), ProcessorBudget()
        request.budget = budget  # type: ignore[attr-defined]
        plugins = Allowance(
            lambda: PLAYER_SECONDS if has_account(request) else VISITOR_SECONDS, VISITOR_SECONDS
        )
        try:
            with plugins_within(plugins):
                return self._answer(request)
        finally:
            budget.close()
            # By the clock, for plug-ins: there is one place for them, and this request had it.
            spent = time.thread_time() - began + plugins.used
            if not hasattr(request, _REFUSED) and _is_charged(request, spent):
                self._allowances.spend(_place(request), timezone.now(), spent)

    def process_view(self, request: HttpRequest, *view: object) -> HttpResponse | None:
        """Refuse before the work is done; sessions are known here."""
        match = request.resolver_match
        if match is not None and match.view_name in _FREE:
            return None
        if self._allowances.has_room(_place(request), timezone.now()) or has_account(request):
            return None
        # What a refusal takes is not charged: the place would never be free again.
        setattr(request, _REFUSED, True)
        return _refused(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Explain that the rules of a plug-in cannot be asked now, or take too long."""
        refusal = refusal_of(exception) if isinstance(exception, PluginFailure) else None
        if refusal is None:
            return None
        return show_refusal(request, refusal, status=status_of(refusal))


def _is_charged(request: HttpRequest, spent: float) -> bool:
    """Return whether a visitor made the request; a session is read only for the expensive ones."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return True
    try:
        return spent > _CHEAP and not has_account(request)
    except DatabaseError:
        return False


def _place(request: HttpRequest) -> str:
    return network_of(place_of(request.META))


def _refused(request: HttpRequest) -> HttpResponse:
    if request.path.startswith(API):
        response = problem(
            UserError(
                "There were too many requests from your network address.",
                code="too-much",
                hint="Try again in a minute, or send a token.",
            )
        )
    else:
        response = HttpResponse(render_to_string("web/site/too_many_requests.html"), status=429)
        response["Cache-Control"] = "no-store"
    response["Retry-After"] = str(_RETRY_AFTER)
    return response


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
    if request.path.startswith(f"/{OPERATOR_PATH}") and not is_operator(operator):
        return page_not_found(request, Http404())
    return show_stale_form(request, reason)


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Answer for the exception that is just being handled; Django's `handler500`."""
    failure = leave_if_broken(sys.exc_info()[1])
    return as_problem(failure) if request.path.startswith(API) else as_page(failure)
