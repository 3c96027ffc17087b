"""Refusals as problems (RFC 9457): the codes, words and hints of every other door."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
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

from sarsen.core.errors import PluginFailure, UserError
from sarsen.doors.api.field_problems import FieldProblem
from sarsen.language.translating import translated
from sarsen.services.accounts.tokens import NotAllowed, UnknownToken
from sarsen.services.dispatch import ReusedRequest
from sarsen.services.limits.daily import Flood
from sarsen.services.limits.processor_time import RETRY_SECONDS, refusal_of
from sarsen.services.store_failures import Failure

View = Callable[..., HttpResponseBase]

CONTENT_TYPE = "application/problem+json"
_WHO = " USERID PASSWORD"
_TITLES = {
    400: "Bad request",
    401: "Authentication required",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Request body too large",
    415: "Unsupported media type",
    422: "Request refused",
    429: "Too many requests",
    500: "Internal server error",
    503: "Service unavailable",
    507: "Insufficient storage",
}
_STATUS = {
    "who-speaks": 401,
    "wrong-password": 401,
    "login-code": 401,
    "body-too-large": 413,
    "busy": 503,
    "game-not-loaded": 503,
    "takes-too-long": 503,
    "content-type": 415,
    "json": 400,
    "no-such-token": 404,
    "no-proof": 404,
    "no-lesson": 404,
    "no-puzzles": 404,
    "no-review": 404,
    "no-such-puzzle": 404,
    "no-daily": 404,
    "no-such-step": 404,
    "unknown-board": 404,
    "unknown-challenge": 404,
    "unknown-contest": 404,
    "unknown-game": 404,
    "unknown-news": 404,
    "unknown-player": 404,
    "unknown-ply": 404,
    "unknown-subject": 404,
    "accepted-already": 409,
    "ambiguous-ply": 409,
    "board-finished": 409,
    "board-running": 409,
    "challenge-over": 409,
    "challenge-started": 409,
    "contest.full": 409,
    "contest.in-already": 409,
    "contest.not-started": 409,
    "contest.over": 409,
    "contest.running": 409,
    "not-your-turn": 409,
    "claim-early": 409,
    "claim-limit": 409,
    "claim-off": 409,
    "claim-soon": 409,
    "claim-turn": 409,
    "no-prover": 409,
    "offer-again": 409,
    "offer-stands": 409,
    "stale-board": 409,
    "stale-offer": 409,
    "stale-ply": 409,
}
# As `Retry-After`: when the limit that refused has room again; see where each is raised.
_WAITS = {  # seconds
    "password-busy": 60,
    "password-pause": 15 * 60,
    "signup-flood": 24 * 3600,
    "too-many-attempts": 24 * 3600,
    "too-much": 60,
}
_UNPROVED = "Authentication required: send a token in the header `Authorization: Bearer TOKEN`."
_HOW_TO = "Create a token in your settings, or get one with a mailed code: POST /api/v1/login."

_AGAIN = "Send the request again later; with the same Idempotency-Key it takes effect only once."
# Not "nothing was changed": a connection may break behind a commit.
# Ten seconds: a database that restarts is mostly back by then.
_AWAY = (503, "store-away", "The database is unavailable.", _AGAIN, 10)
_FAILURES: dict[Failure | None, tuple[int, str, str, str, int]] = {
    Failure.FULL: (507, "disk-full", "The disk is full; nothing was changed.", _AGAIN, 300),
    Failure.AWAY: _AWAY,
    Failure.BROKEN: _AWAY,
    None: (500, "defect", "An internal error occurred.", _AGAIN, 0),
}


class Problem(BaseModel):
    """A refused request: the reason, and a hint at what would be accepted."""

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
    if refusal.code == "busy":
        wait = RETRY_SECONDS
    if wait and status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
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
    return _write(404, "unknown-address", "This URL does not exist.", "/api/v1/docs")


def show_unreadable() -> HttpResponse:
    """Answer 400 for a malformed request line or header."""
    detail = "The `Host` header or another header of this request is invalid."
    return _write(
        400, "request", detail, "Use the server's host name, as in the links of its mails."
    )


def show_methods(view: View) -> View:
    """Answer 405 with a problem document for a method that a view does not take."""

    @csrf_exempt  # as of an address that there is not
    @wraps(view)
    def explained(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        response = view(request, *args, **named)
        if not isinstance(response, HttpResponseNotAllowed):
            return response
        allowed = ", ".join(sorted(response["Allow"].split(", ")))
        detail = f"{request.method} is not allowed at this URL."
        refusal = _write(405, "method", detail, f"Allowed: {allowed}. See /api/v1/docs.")
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
    api.add_exception_handler(PluginFailure, _not_ruled)
    api.add_exception_handler(ValidationError, _invalid)
    api.add_exception_handler(AuthenticationError, _unproved)
    api.add_exception_handler(HttpError, _of_ninja)
    api.add_exception_handler(Http404, _missing)
    api.add_exception_handler(RequestDataTooBig, _too_large)
    api.add_exception_handler(UnreadablePostError, _cut_off)


def _refused(request: HttpRequest, refusal: Any) -> HttpResponse:
    is_known = getattr(getattr(request, "auth", None), "player", None) is not None
    return problem(refusal, is_known=is_known)


def _not_ruled(request: HttpRequest, failure: Any) -> HttpResponse:
    refusal = refusal_of(failure)
    if refusal is None:
        raise failure  # a defect, as any other
    return _refused(request, refusal)


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    found: FieldProblem = error.errors[0]["problem"]
    return _write(422, "invalid", found.detail, found.hint)


def _unproved(request: HttpRequest, unproved: Any) -> HttpResponse:
    return _write(401, "who-speaks", _UNPROVED, _HOW_TO)


def _of_ninja(request: HttpRequest, error: Any) -> HttpResponse:
    cause = error.__cause__
    if isinstance(cause, UserError):
        return problem(cause)
    return _write(
        error.status_code, "json", "The request body is not a JSON object.", '{"board": 123}'
    )


def _missing(request: HttpRequest, missing: Any) -> HttpResponse:
    return show_missing(request)


def _too_large(request: HttpRequest, large: Any) -> HttpResponse:
    return _write(
        413, "body-too-large", "The request body is too large.", "Split it into several requests."
    )


def _cut_off(request: HttpRequest, cut: Any) -> HttpResponse:
    return _write(400, "json", "The request body is incomplete.", "Send it again.")


def _write(status: int, code: str, detail: str, hint: str) -> HttpResponse:
    document = Problem(
        type=f"urn:sarsen:{code}",
        title=_TITLES.get(status, "Request refused"),
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
