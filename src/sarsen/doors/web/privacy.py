"""Pages of somebody who is logged in are kept by no cache but his browser's."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from sarsen.doors.web.speaker import speaker

Answering = Callable[[HttpRequest], HttpResponseBase]


def keep_private(answer: Answering) -> Answering:
    """Mark such pages; their browser asks again before it shows one that it has kept."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if not response.has_header("Cache-Control") and speaker(request) is not None:
            response["Cache-Control"] = "private, no-cache"
        return response

    return answering
