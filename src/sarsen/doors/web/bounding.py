"""No page takes a thread of the web for ever, whatever the rules of a game do there."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from sarsen.services.patience import patience

Answering = Callable[[HttpRequest], HttpResponseBase]


def bound_pages(answer: Answering) -> Answering:
    """Break off what would not end; what a stream sends later is not part of it."""

    def answering(request: HttpRequest) -> HttpResponseBase:
        with patience("a page or a request"):
            return answer(request)

    return answering
