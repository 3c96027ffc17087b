"""An address for whoever watches the server."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from sarsen.services.health import check_store


def send_health(request: HttpRequest) -> HttpResponse:
    """Say ok when the database answers; a failure is a 500 like any other.

    The supervisor tells by the name of the run that its own web process answers.
    """
    check_store()
    headers = {"Cache-Control": "no-store", "Sarsen-Run": settings.SARSEN_RUN}
    return HttpResponse("ok\n", "text/plain", headers=headers)
