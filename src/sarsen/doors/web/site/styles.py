"""The style sheet of all themes, and the page of elements for developers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.doors.web.frame.pictures import FOR_A_DAY, FOR_EVER
from sarsen.doors.web.frame.style_sheet import style_sheet, style_version
from sarsen.doors.web.frame.themes import PAGE_ROLES
from sarsen.doors.web.frame.visitors import may_read_mail
from sarsen.games import names

_ICONS = ("chevron-first", "chevron-left", "layers", "rotate-cw", "grip", "handshake", "settings")


def show_styles(request: HttpRequest) -> HttpResponse:
    """Show the elements of pages to their developers, at the server's own machine."""
    if not may_read_mail(request):
        raise Http404
    roles = [*PAGE_ROLES, "ink", "paper", "mark", "first", "second"]
    facts = {"roles": roles, "icons": _ICONS, "games": names()}
    return render(request, "web/site/styles.html", facts)


def send_style_sheet(request: HttpRequest) -> HttpResponse:
    """Send the colours of pages and boards in every theme."""
    keep = FOR_EVER if request.GET.get("v") == style_version() else FOR_A_DAY
    return HttpResponse(style_sheet(), "text/css", headers={"Cache-Control": keep})
