"""The addresses of the API, and the form that the bodies of all its requests have."""

from __future__ import annotations

import json
import re
from functools import cache
from http import HTTPStatus
from math import isfinite
from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, re_path
from django.urls.resolvers import URLPattern
from django.views.decorators.http import require_safe
from ninja.parser import Parser

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.doors.api import (
    account,
    analysis,
    boards,
    commands,
    contests,
    events,
    lessons,
    listings,
    news,
    problems,
    puzzles,
)
from sarsen.doors.api.authentication import ByOptionalToken, ByToken
from sarsen.doors.api.field_problems import DescribingAPI
from sarsen.doors.api.problems import explain
from sarsen.doors.api.replies import send_tagged
from sarsen.doors.api.streams import NDJSON

_OBJECT = '{"board": 123, "text": "c3"}'
_NO_TEXT = re.compile("[\0\ud800-\udfff]")  # databases take no NUL, and nothing a lone surrogate
MAX_DEEP = 20  # nested lists and objects: reading and checking JSON recurse once for each
JSON = "application/json"
LINES = {NDJSON, account.JSONL}


class StrictParser(Parser):
    """Refuse bodies that are no JSON object, hold no text, or are nested too deeply."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Return the JSON object of a body."""
        if request.content_type not in (JSON, ""):
            raise UserError(
                f"The request body must be JSON, not {str(request.content_type)[:60]}.",
                code="content-type",
                hint=f"Content-Type: {JSON}",
            )
        try:
            body = json.loads(
                request.body,
                parse_constant=_refuse,
                parse_float=_finite,
                object_pairs_hook=_once,
            )
        except _NamedTwice as error:
            raise UserError(
                f"The request body contains {quoted(error.name, 40)} twice.",
                code="json",
                hint="Send each field once.",
            ) from None
        except (ValueError, RecursionError):
            raise _unreadable() from None
        if not isinstance(body, dict):
            raise UserError(
                "The request body is JSON, but no object: its fields stand in braces.",
                code="json",
                hint=_OBJECT,
            )
        for name, value in body.items():
            _check(value, MAX_DEEP - 1, name)
            _check(name, MAX_DEEP, name)
        return body


def _check(value: object, deep: int, field: str) -> None:
    """Refuse what is no text, and nesting beyond so many levels.

    Args:
        field: The field of the body in which the value stands.
    """
    if not deep:
        raise UserError(
            f"The field {quoted(field)} is nested too deeply: at most {MAX_DEEP} levels are read.",
            code="json",
            hint=_OBJECT,
        )
    if isinstance(value, str) and (sign := _NO_TEXT.search(value)):
        raise UserError(
            f"The field {quoted(field)} holds the character U+{ord(sign[0]):04X}, which is in no "
            "text here.",
            code="json",
            hint="Leave this character out.",
        )
    if isinstance(value, dict):
        for name, item in value.items():
            _check(name, deep, field)
            _check(item, deep - 1, field)
    if isinstance(value, list):
        for item in value:
            _check(item, deep - 1, field)


class _NamedTwice(Exception):
    """A JSON object names a field twice: readers differ about which one counts."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _NamedTwice(name)
        fields[name] = value
    return fields


def _finite(number: str) -> float:
    value = float(number)
    if not isfinite(value):
        raise ValueError(number)
    return value


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _unreadable() -> UserError:
    return UserError(
        "The request body is not a valid JSON object.",
        code="json",
        hint=_OBJECT,
    )


api = DescribingAPI(
    title="sarsen",
    version=__version__,
    urls_namespace="api",
    parser=StrictParser(),
    # Ours are in `documents`: kept, conditional, and without a script of another server.
    openapi_url=None,
    docs_url=None,
    description=(
        "Play abstract board games with your own programs. Public data needs no token; everything "
        "else needs the header `Authorization: Bearer TOKEN`. A POST may carry an "
        "`Idempotency-Key`: repeated with the same key, it gets the same response and takes "
        "effect only once. Refusals are `application/problem+json`, with a stable `code`."
    ),
)
explain(api)
for _router in (
    commands.router,
    listings.games_router,
    boards.router,
    listings.players_router,
    contests.router,
    lessons.router,
    puzzles.router,
    analysis.router,
    news.router,
    events.router,
    account.router,
    account.login_router,
):
    api.add_router("", _router)


@require_safe
def send_openapi(request: HttpRequest) -> HttpResponse:
    """Send the OpenAPI document."""
    headers = {"Cache-Control": "public, no-cache"}
    return send_tagged(request, HttpResponse(document(), content_type=JSON, headers=headers))


# Swagger UI sets styles by script and has pictures within them; only this page may.
@require_safe
@csp_update({"style-src": "'unsafe-inline'", "img-src": "data:", "connect-src": "'self'"})
def show_documents(request: HttpRequest) -> HttpResponse:
    """Show the page of all operations."""
    return render(request, "api/docs.html")


@cache
def document() -> bytes:
    """Return the OpenAPI document."""
    schema: dict[str, Any] = api.get_openapi_schema(path_prefix="/api/v1/")
    schema["components"]["securitySchemes"].pop(ByOptionalToken.__name__)
    for methods in schema["paths"].values():
        for operation in methods.values():
            _complete(operation)
    return json.dumps(schema, default=str).encode()


def _complete(operation: dict[str, Any]) -> None:
    """Add to the description of an operation what Ninja cannot express."""
    if {ByOptionalToken.__name__: []} in operation.get("security", ()):
        operation["security"] = [{}, {ByToken.__name__: []}]
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        if int(status) >= HTTPStatus.BAD_REQUEST:
            response["content"] = {problems.CONTENT_TYPE: content[JSON]}
        elif LINES & content.keys():
            # Each line is such an object; one document of JSON is never sent.
            lines = content.pop(JSON)
            content.update(dict.fromkeys(LINES & content.keys(), lines))


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
