"""A form that was too old is not performed, and nothing typed into it is lost."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.doors.web.posted import read_post
from sarsen.services.speaking import hidden


def show_stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that nothing was changed; what was typed for the command box stands in it again."""
    posted = read_post(request)
    facts = {"line": hidden(posted.line, None), "body": posted.body, "back": posted.back}
    response = render(request, "403_csrf.html", facts, status=403)
    response["Cache-Control"] = "private, no-store"
    return response
