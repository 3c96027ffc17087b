"""What a page may load: said once, and said anew only of a page that changes it."""

from __future__ import annotations

from collections.abc import Callable

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from sarsen.doors.web.site.visitors import speaker

_CHANGES = frozenset(
    f"_csp_{change}{kind}"
    for change in ("config", "exempt", "replace", "update")
    for kind in ("", "_ro")
)


class KeptPolicy(CSPMiddleware):
    """Send the policy of the settings with all that changes nothing of it."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(answer)
        self._usual = build_policy()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Add the header."""
        if _CHANGES.isdisjoint(vars(response)):
            response.headers.setdefault(HEADER, self._usual)
            return response
        changed: HttpResponseBase = super().process_response(request, response)
        return changed


Answering = Callable[[HttpRequest], HttpResponseBase]


def keep_private(answer: Answering) -> Answering:
    """Mark such pages; their browser asks again before it shows one that it has kept."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if not response.has_header("Cache-Control") and speaker(request) is not None:
            response["Cache-Control"] = "private, no-cache"
        return response

    return answering
