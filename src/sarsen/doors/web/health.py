"""An address for whoever watches the server."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from sarsen.services.health import check_store


def send_health(request: HttpRequest) -> HttpResponse:
    """Say ok when the database answers; a failure is a 500 like any other."""
    check_store()
    return HttpResponse("ok\n", "text/plain", headers={"Cache-Control": "no-store"})
