"""Send what is read: as JSON, and only if the caller has not got it already."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from sarsen.doors.api.problems import Problem
from sarsen.doors.api.proof import caller
from sarsen.language import json_form

JSON = "application/json; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
REFUSALS: dict[Any, Any] = {(400, 401, 403, 404, 409, 413, 415, 422, 429): Problem}


def answers(kind: Any, status: int = 200) -> dict[Any, Any]:
    """Return what an operation answers, for the OpenAPI page."""
    return {status: kind, **REFUSALS}


def send(request: HttpRequest, facts: object, *, further: str = "") -> HttpResponse:
    """Send facts as JSON, or 304 to a caller who has these.

    Args:
        further: The address of the next page; "" for none.
    """
    text = json.dumps(json_form.write(facts), ensure_ascii=False)
    response = send_text(request, text, JSON)
    if further:
        response["Link"] = f'<{further}>; rel="next"'
    return response


def send_text(request: HttpRequest, text: str, kind: str = TEXT) -> HttpResponse:
    """Send text, or 304 to a caller who has it."""
    body = text.encode()
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    # What nobody in particular reads, any cache may keep, but not without asking.
    keep = "public, no-cache" if caller(request).player is None else "private, no-cache"
    headers = {"ETag": etag, "Cache-Control": keep, "Vary": "Authorization, Accept"}
    response = HttpResponse(body, content_type=kind, headers=headers)
    found: Any = get_conditional_response(request, etag, None, response)
    sent: HttpResponse = found or response
    return sent


def send_new(facts: object, status: int = 200) -> HttpResponse:
    """Send what nobody may keep."""
    text = json.dumps(json_form.write(facts), ensure_ascii=False)
    response = HttpResponse(text, content_type=JSON, status=status)
    response["Cache-Control"] = "private, no-store"
    return response
