"""The server's figures: who plays here, how much, and at what."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.doors.web.charts import bars
from sarsen.services.figures import DAYS, figures


def show_figures(request: HttpRequest) -> HttpResponse:
    """Show what everybody may know of this server."""
    found = figures(timezone.now())
    title = f"Moves on each of the last {DAYS} days, {found.moved} in all"
    return render(
        request, "web/figures.html", {"figures": found, "chart": bars(found.moves, title)}
    )
