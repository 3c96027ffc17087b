"""What is solved of the games, with the files to check it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sarsen.doors.web.frame.pictures import in_words, inline_picture
from sarsen.doors.web.frame.visitors import REVALIDATED
from sarsen.learning.solved import Claim, claims


@require_safe
def show_solved(request: HttpRequest) -> HttpResponse:
    """Show what is solved, game by game."""
    response = render(request, "web/learning/solved.html", {"claims": claims().values()})
    response["Cache-Control"] = REVALIDATED
    return response


@require_safe
def show_claim(request: HttpRequest, claim: str) -> HttpResponse:
    """Show one claim: what is proven, by what, and how to check it."""
    found = _claim(claim)
    position = found.position()
    facts = {
        "claim": found,
        "picture": inline_picture(position),
        "words": in_words(position),
        "certificates": [name for name in found.files if name not in found.checkers],
    }
    response = render(request, "web/learning/claim.html", facts)
    response["Cache-Control"] = REVALIDATED
    return response


@require_safe
def send_file(request: HttpRequest, claim: str, name: str) -> HttpResponse:
    """Send a checker or a certificate, to be kept."""
    text = _claim(claim).file(name)
    if not text:
        raise Http404
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = REVALIDATED
    return response


def _claim(id_: str) -> Claim:
    found = claims().get(id_)
    if found is None:
        raise Http404
    return found
