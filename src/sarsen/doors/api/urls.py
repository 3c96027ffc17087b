"""The addresses of the API door."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, re_path
from django.urls.resolvers import URLPattern
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe
from ninja import NinjaAPI

from sarsen import __version__
from sarsen.doors.api import account, boards, commands, events, games, logins, players, problems
from sarsen.doors.api.bodies import StrictParser
from sarsen.doors.api.problems import explain

api = NinjaAPI(
    title="sarsen",
    version=__version__,
    urls_namespace="api",
    parser=StrictParser(),
    # Ours are in `documents`: kept, conditional, and without a script of another server.
    openapi_url=None,
    docs_url=None,
    description=(
        "Play abstract board games by programs. What is public needs no token; everything "
        "else needs `Authorization: Bearer TOKEN`. A POST may carry `Idempotency-Key`: the "
        "same key again gets the same answer, and is done once. Refusals are "
        "`application/problem+json` with the codes and hints of every other door."
    ),
)
explain(api)
for _part in (commands, games, boards, players, events, account, logins):
    api.add_router("", _part.router)


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
        _written = json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), default=str).encode()
    return _written


_written: bytes | None = None


_operations, _app, _names = api.urls
for _operation in _operations:
    if isinstance(_operation, URLPattern):
        _operation.callback = problems.show_methods(_operation.callback)

urlpatterns = [
    path("openapi.json", problems.show_methods(send_openapi), name="openapi"),
    path("docs", problems.show_methods(show_documents), name="api-docs"),
    path("", (_operations, _app, _names)),
    re_path("", problems.show_missing),
]
