"""Bound the processor time that visitors may take: people without an account, guests among them.

One network has so many seconds within five minutes, whatever its requests ask for, and trying
moves takes at most a second of one request (`services.limits.processor_time`). Beyond that it is
served last. People who are logged in are not bounded here, and neither is logging in.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.defaults import bad_request, page_not_found

from sarsen.core.errors import PluginFailure, UserError
from sarsen.doors.api.problems import problem, show_unreadable
from sarsen.doors.api.problems import show_failure as as_problem
from sarsen.doors.web.frame.errors import show_failure as as_page
from sarsen.doors.web.frame.errors import show_refusal, status_of
from sarsen.doors.web.frame.visitors import has_account, speaker
from sarsen.doors.web.site.command_box import show_stale_form
from sarsen.isolation.allowance import PLAYER_SECONDS, VISITOR_SECONDS, Allowance, plugins_within
from sarsen.services.accounts.attempts import client_address_of, network_of
from sarsen.services.admin.roles import OPERATOR_PATH, is_operator
from sarsen.services.limits.processor_time import (
    PAGE_THREADS,
    PageThreads,
    ProcessorBudget,
    refusal_of,
)
from sarsen.services.limits.site import SiteAllowances
from sarsen.services.store_failures import leave_if_broken

# Of the processor, that requests of visitors from one network may take within WITHIN.
PROCESSOR_SECONDS = 30.0
# The same for what stays open to others there, when somebody has used that up.
OPEN_SECONDS = 5.0
WITHIN = 300.0  # seconds: who waits so long has all of it again
# Seconds of a request with a session's cookie: below, to look whose it is costs as much.
_CHEAP = 0.01
_RETRY_AFTER = 60  # seconds, after which a fifth of the time is there again
# Names of addresses that are never refused.
FREE = {"health", "due-health", "metrics"}
FREE |= {"login", "login-code", "login-link", "login-passkey", "login-passkey-question"}
FREE |= {"api:login", "api:login-code"}
# What proves its reader, or takes little, and cannot wait until somebody else in the same house or
# company has had enough: joining, unsubscribing, signed feeds and links, boards on other pages.
OPEN = {"join", "join-code", "welcome", "api:signup", "api:welcome", "challenge-link", "logout"}
OPEN |= {"invited", "no-invitations", "unsubscribe", "subscribe-again"}
OPEN |= {"boards-feed", "deadlines-feed", "board-moves-feed"}
OPEN |= {"embed", "embed-ply", "embed-picture", "embed-picture-ply", "puzzle-embed", "keys"}
OPEN |= {"favicon", "icon-any", "icon-maskable", "manifest", "worker", "offline", "board-style"}


@dataclass
class _Charge:
    """Whose allowances a request takes its time from, as its attribute `charge`.

    Attributes:
        to: The allowances that it is taken from; None for what is free.
        is_last: It has the one place of those whose network has used up its time.
    """

    to: SiteAllowances | None
    is_last: bool = False


class BoundVisitors:
    """Serve visitors whose network has used up its processor time last; a middleware.

    One of them at a time is served while nobody else asks for a page; others are refused.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer
        self._allowances = SiteAllowances("visitors", PROCESSOR_SECONDS, WITHIN)
        self._open = SiteAllowances("open", OPEN_SECONDS if PROCESSOR_SECONDS else 0, WITHIN)
        self._last = threading.Lock()  # the one place; held from admission to the answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began, budget = time.thread_time(), ProcessorBudget()
        request.budget = budget  # type: ignore[attr-defined]
        charge = request.charge = _Charge(self._allowances)  # type: ignore[attr-defined]

        def plugin_seconds() -> float:
            if has_account(request):
                return PLAYER_SECONDS
            # What such a request takes is not charged, and there is one place for plug-ins.
            return 0.0 if charge.is_last else VISITOR_SECONDS

        plugins = Allowance(plugin_seconds, VISITOR_SECONDS)
        try:
            with plugins_within(plugins):
                response = self._answer(request)
        finally:
            budget.close()
            if charge.is_last:
                self._last.release()
            # By the clock, for plug-ins: there is one place for them, and this request had it.
            spent = time.thread_time() - began + plugins.used
            if charge.to is not None and _is_charged(request, spent):
                charge.to.spend(_network(request), timezone.now(), spent)
        held = getattr(response, "held", None)
        if held is not None and not has_account(request):
            # It is read later, in other threads, and charged each time.
            # It ends when these are used up, by it or by other requests.
            allowances = charge.to or self._allowances
            held.spend = partial(_spend, allowances, _network(request))
            held.is_allowed = partial(_has_room, allowances, _network(request))
        return response

    def process_view(self, request: HttpRequest, *view: object) -> HttpResponse | None:
        """Refuse before the work is done; sessions are known here."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        network, now = _network(request), timezone.now()
        if name in FREE or self._allowances.has_room(network, now) or has_account(request):
            return None
        charge: _Charge = request.charge  # type: ignore[attr-defined]
        if name in OPEN and self._open.has_room(network, now):
            charge.to = self._open
            return None
        # What a refusal takes is not charged, nor what nobody else had a use for: the network would
        # never be free again.
        charge.to = None
        charge.is_last = self._may_be_last(request)
        return None if charge.is_last else _refused(request)

    def _may_be_last(self, request: HttpRequest) -> bool:
        """Take the one place of over-budget visitors, if nobody else needs the processor."""
        threads: PageThreads | None = request.META.get(PAGE_THREADS)
        is_idle = threads is None or threads.is_idle
        return is_idle and self._last.acquire(blocking=False)

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


def _spend(allowances: SiteAllowances, network: str, seconds: float) -> None:
    allowances.spend(network, timezone.now(), seconds)


def _has_room(allowances: SiteAllowances, network: str) -> bool:
    return allowances.has_room(network, timezone.now())


def _network(request: HttpRequest) -> str:
    return network_of(client_address_of(request.META))


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
    """Answer a malformed request, which no browser sends; Django's `handler400`."""
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
