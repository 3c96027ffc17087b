"""Parameters of addresses: refused where their value cannot be read, not ignored in silence.

Foreign ones, such as `utm_source`, are left alone: whoever passes a link on may add them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from copy import copy
from functools import wraps
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, QueryDict

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.doors.web.frame.errors import UNREADABLE, View, show_refusal
from sarsen.doors.web.frame.visitors import number_in, with_query

# What a parameter takes: a number, or one of some words, which may depend on the server.
NUMBER = "number"
Kind = str | Collection[str] | Callable[[], Collection[str]]


def takes(
    kinds: Mapping[str, Kind], instead: Mapping[str, str] | None = None
) -> Callable[[View], View]:
    """Return a decorator that refuses unreadable parameters of a GET, with an address that works.

    Args:
        kinds: What each parameter takes. An empty one is as none: forms send those.
        instead: Names that other doors have for a parameter here, such as `from` of a line.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def reading(request: HttpRequest, *args: object, **address: object) -> HttpResponse:
            if request.method in ("GET", "HEAD"):
                for name in request.GET:
                    here = (instead or {}).get(name, "")
                    try:
                        _check(request, name, kinds.get(name), here)
                    except UserError as refusal:
                        other = _without(request, name, here)
                        if here and not _is_answered(view, request, other, *args, **address):
                            other = _without(request, name, "")
                        return show_refusal(request, refusal, status=UNREADABLE, address=other)
            return view(request, *args, **address)

        return reading

    return decorate


def _check(request: HttpRequest, name: str, kind: Kind | None, other: str) -> None:
    """Refuse a parameter that is known, but not with this value or not by this name.

    Raises:
        UserError: It is refused.
    """
    typed = request.GET[name]
    if other and name not in (other, ""):
        raise UserError(
            "In an address, `{name}` is called `{other}`.",
            code="parameter-name",
            name=name,
            other=other,
        )
    if kind is None or not typed:
        return
    if kind == NUMBER:
        if number_in(typed) is None:
            raise UserError(
                "`{name}` in an address is a whole number, not {typed}.",
                code="parameter-value",
                name=name,
                typed=quoted(typed),
            )
        return
    words = kind() if callable(kind) else kind
    if typed not in words:
        raise UserError(
            "`{name}` in an address is one of {words}, not {typed}.",
            code="parameter-value",
            name=name,
            words=", ".join(words),
            typed=quoted(typed),
        )


def _is_answered(
    view: View, request: HttpRequest, other: str, *args: object, **address: object
) -> bool:
    """Return whether the same page answers at another address of it."""
    asked = copy(request)
    asked.GET = QueryDict(urlsplit(other).query)
    try:
        return view(asked, *args, **address).status_code < UNREADABLE
    except (UserError, Http404):
        return False


def _without(request: HttpRequest, name: str, other: str) -> str:
    """Return the address without a parameter, or with it by its other name."""
    query = [
        (other if key == name else key, value)
        for key, values in request.GET.lists()
        for value in values
        if key != name or (other and other not in request.GET)
    ]
    return with_query(request.path, query)
