"""Addresses for whoever watches the server."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from sarsen.services.health import check_store
from sarsen.services.operating.measures import measure

NEVER_KEPT = {"Cache-Control": "no-store"}


def send_health(request: HttpRequest) -> HttpResponse:
    """Say ok when the database answers; a failure is answered like that of any page.

    The supervisor tells by the name of the run that its own web process answers.
    """
    check_store()
    headers = NEVER_KEPT | {"Sarsen-Run": settings.SARSEN_RUN}
    return HttpResponse("ok\n", "text/plain", headers=headers)


def send_due_health(request: HttpRequest) -> HttpResponse:
    """Say ok while work gets done, or name what lies, one word a line, with status 503."""
    ailments = measure(timezone.now()).ailments
    text = "".join(f"{name}\n" for name in ailments) or "ok\n"
    return HttpResponse(text, "text/plain", status=503 if ailments else 200, headers=NEVER_KEPT)
