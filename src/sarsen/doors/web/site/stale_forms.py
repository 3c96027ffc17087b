"""A form that was too old is not performed, and nothing typed into it is lost."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from sarsen.doors.web.account import joining, logins
from sarsen.doors.web.site.posted_lines import read_post
from sarsen.services.redaction import without_secrets

# Of the command box's forms, whose line is shown whole; and what nobody typed, or is secret.
_SAID = ("line", "body", "rest")
_UNTYPED = (
    *("csrfmiddlewaretoken", "token", "as", "back", "next", "answer", "challenge", "number"),
    *("password", "code", "digits", "mode", "palette", "striped", "board", "ply", "event"),
    *("matter", "is_program", "scope"),
)
LONGEST = 20_000  # characters of one field
MOST = 10  # fields


@dataclass(frozen=True)
class FieldContent:
    """The content of one field."""

    name: str
    text: str
    is_long: bool


def show_stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer that nothing was changed, with the typed text in its fields again."""
    if request.path == reverse("join"):
        return joining.show_stale(request)
    if request.path == reverse("login"):
        return logins.show_stale(request)
    posted = read_post(request)
    facts = {
        "line": without_secrets(posted.line, None),
        "body": posted.body,
        "back": posted.back,
        "typed": _typed(request),
    }
    response = render(request, "403_csrf.html", facts, status=403)
    response["Cache-Control"] = "private, no-store"
    return response


def _typed(request: HttpRequest) -> list[FieldContent]:
    """Return what was typed into a form that is none of the command box's."""
    found = []
    for name, text in request.POST.items():
        is_option = name.startswith("-")
        if not is_option and name not in _SAID + _UNTYPED and isinstance(text, str) and text:
            is_long = "\n" in text or len(text) > 80
            found.append(FieldContent(name[:40], text[:LONGEST], is_long))
    return found[:MOST]
