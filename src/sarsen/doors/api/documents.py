"""The OpenAPI document, and a page that shows it: no script of another server."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe


@require_safe
def send_openapi(request: HttpRequest) -> HttpResponse:
    """Send the OpenAPI document."""
    body = document()
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "public, no-cache"}
    response = HttpResponse(body, content_type="application/json", headers=headers)
    found: Any = get_conditional_response(request, etag, None, response)
    return found or response


# Swagger UI sets styles by script and has pictures within them; only this page may.
@require_safe
@csp_update({"style-src": "'unsafe-inline'", "img-src": "data:", "connect-src": "'self'"})
def show_documents(request: HttpRequest) -> HttpResponse:
    """Show the page of all operations."""
    return render(request, "api/docs.html")


def document() -> bytes:
    """Write the OpenAPI document, once."""
    global _written  # noqa: PLW0603 (the same for as long as the process lives)
    if _written is None:
        from sarsen.doors.api.api import api

        _written = json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), default=str).encode()
    return _written


_written: bytes | None = None
