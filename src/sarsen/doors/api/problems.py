"""Refusals as problems (RFC 9457): the codes, words and hints of every other door."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    UnreadablePostError,
)
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import BaseModel, ConfigDict

from sarsen.core.errors import UserError
from sarsen.language.translating import translated
from sarsen.services.accounts.tokens import NotAllowed, UnknownToken
from sarsen.services.crash_log import Failure
from sarsen.services.dispatch import ReusedRequest
from sarsen.services.limits import Flood

View = Callable[..., HttpResponseBase]

CONTENT_TYPE = "application/problem+json"
_WHO = " USERID PASSWORD"
_TITLES = {
    400: "The request cannot be read.",
    401: "The server does not know who speaks.",
    403: "The token does not allow this.",
    404: "There is no such thing.",
    405: "This address does not take this method.",
    409: "The state of things is another one.",
    413: "The request is too large.",
    415: "The request is of another kind.",
    422: "The request is refused.",
    429: "Too much at once.",
    500: "Our fault.",
    503: "The store is out of reach.",
    507: "The disk is full.",
}
_STATUS = {
    "who-speaks": 401,
    "wrong-password": 401,
    "login-code": 401,
    "body-too-large": 413,
    "busy": 503,
    "takes-too-long": 503,
    "content-type": 415,
    "json": 400,
    "no-such-token": 404,
    "no-review": 404,
    "unknown-board": 404,
    "unknown-challenge": 404,
    "unknown-game": 404,
    "unknown-player": 404,
    "unknown-ply": 404,
    "unknown-subject": 404,
    "accepted-already": 409,
    "ambiguous-ply": 409,
    "board-finished": 409,
    "board-running": 409,
    "challenge-over": 409,
    "challenge-started": 409,
    "not-your-turn": 409,
    "offer-again": 409,
    "offer-stands": 409,
    "stale-board": 409,
    "stale-offer": 409,
    "stale-ply": 409,
}
_WAITS = {  # seconds
    "password-busy": 60,
    "password-pause": 15 * 60,
    "signup-flood": 24 * 3600,
    "too-many-attempts": 24 * 3600,
    "too-much": 60,
}
_UNPROVED = (
    "This needs to know who speaks: show a token, in the header `Authorization: Bearer TOKEN`."
)
_HOW_TO = "POST /api/v1/login sends a code for a token; you can also create one in your settings."

_AGAIN = "Send it again later; with the same Idempotency-Key it is done once."
# Not "nothing was changed": a connection may break behind a commit.
_AWAY = (503, "store-away", "The store is out of reach.", _AGAIN, 10)
_FAILURES: dict[Failure | None, tuple[int, str, str, str, int]] = {
    Failure.FULL: (507, "disk-full", "The disk is full; nothing was changed.", _AGAIN, 300),
    Failure.AWAY: _AWAY,
    Failure.BROKEN: _AWAY,
    None: (500, "defect", "Something broke here that was nothing you did.", _AGAIN, 0),
}


class Problem(BaseModel):
    """A refusal: the reason, and a line that would have worked."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    detail: str
    hint: str = ""


def problem(refusal: UserError, *, is_known: bool = False) -> HttpResponse:
    """Answer with a refusal in the active language.

    Args:
        is_known: Whether a token says who speaks: then hints leave the userid out.
    """
    status = status_of(refusal)
    detail, hint = translated(refusal.text), translated(refusal.hint)
    if refusal.code == "who-speaks":
        detail, hint = _UNPROVED, _HOW_TO
    elif is_known:
        hint = hint.replace(_WHO, "")
    response = _write(status, refusal.code, detail, hint)
    wait = refusal.seconds if isinstance(refusal, Flood) else _WAITS.get(refusal.code)
    if status == 429 and wait:
        response["Retry-After"] = str(wait)
    return response


def status_of(refusal: UserError) -> int:
    """Return the HTTP status of a refusal."""
    if isinstance(refusal, NotAllowed):
        return 403
    if isinstance(refusal, UnknownToken):
        return 401
    if isinstance(refusal, Flood) or refusal.code in _WAITS:
        return 429
    if isinstance(refusal, ReusedRequest):
        return 422
    return _STATUS.get(refusal.code, 422)


@csrf_exempt  # a program that mistypes an address gets a 404
def show_missing(request: HttpRequest) -> HttpResponse:
    """Answer 404 for an unknown address."""
    return _write(404, "unknown-address", "There is nothing at this address.", "/api/v1/docs")


def show_unreadable() -> HttpResponse:
    """Answer 400 for a malformed request line or header."""
    detail = "The name of the host in this request, or another header, cannot be right."
    return _write(400, "request", detail, "Ask the server by the name in its letters.")


def show_methods(view: View) -> View:
    """Answer 405 with a problem document for a method that a view does not take."""

    @csrf_exempt  # as of an address that there is not
    @wraps(view)
    def explained(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        response = view(request, *args, **named)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        allowed = ", ".join(sorted(response["Allow"].split(", ")))
        detail = f"This address does not take {request.method}."
        refusal = _write(405, "method", detail, f"It takes {allowed}: see /api/v1/docs.")
        refusal["Allow"] = allowed
        return refusal

    return explained


def show_failure(failure: Failure | None) -> HttpResponse:
    """Answer that the database failed or the disk is full; 500 for None, a defect of ours."""
    status, code, detail, hint, wait = _FAILURES[failure]
    response = _write(status, code, detail, hint)
    if wait:
        response["Retry-After"] = str(wait)
    return response


def explain(api: NinjaAPI) -> None:
    """Answer every error that a caller can mend with a problem document."""
    api.add_exception_handler(UserError, _refused)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(AuthenticationError, _unproved)
    api.add_exception_handler(HttpError, _of_ninja)
    api.add_exception_handler(Http404, _missing)
    api.add_exception_handler(RequestDataTooBig, _too_large)
    api.add_exception_handler(UnreadablePostError, _cut_off)


def _refused(request: HttpRequest, refusal: Any) -> HttpResponse:
    is_known = getattr(getattr(request, "auth", None), "player", None) is not None
    return problem(refusal, is_known=is_known)


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    first = error.errors[0] if error.errors else {"loc": ("body",), "msg": "is wrong"}
    location = (
        ".".join(str(part) for part in first["loc"][1:] if part != "payload") or "the request"
    )
    detail = f"`{location}`: {first['msg']}."
    return _write(422, "invalid", detail, "See /api/v1/docs for what each operation takes.")


def _unproved(request: HttpRequest, unproved: Any) -> HttpResponse:
    return _write(401, "who-speaks", _UNPROVED, _HOW_TO)


def _of_ninja(request: HttpRequest, error: Any) -> HttpResponse:
    cause = error.__cause__
    if isinstance(cause, UserError):
        return problem(cause)
    return _write(error.status_code, "json", "The body is no JSON object.", '{"board": 123}')


def _missing(request: HttpRequest, missing: Any) -> HttpResponse:
    return show_missing(request)


def _too_large(request: HttpRequest, large: Any) -> HttpResponse:
    return _write(413, "body-too-large", "The body is too large.", "Send it in several parts.")


def _cut_off(request: HttpRequest, cut: Any) -> HttpResponse:
    return _write(400, "json", "The body ended too early.", "Send it again.")


def _write(status: int, code: str, detail: str, hint: str) -> HttpResponse:
    document = Problem(
        type=f"urn:sarsen:{code}",
        title=_TITLES.get(status, "The request is refused."),
        status=status,
        code=code,
        detail=detail,
        hint=hint,
    )
    text = json.dumps(document.model_dump(), ensure_ascii=False)
    response = HttpResponse(text, status=status, content_type=CONTENT_TYPE)
    response["Cache-Control"] = "no-store"
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response
