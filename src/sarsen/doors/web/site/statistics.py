"""The page of figures: what everybody may know of this server."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.doors.web.frame.charts import bar_chart
from sarsen.language.translating import _
from sarsen.services.events.statistics import DAYS, figures


def show_figures(request: HttpRequest) -> HttpResponse:
    """Show what everybody may know of this server."""
    statistics = figures(timezone.now())
    title = _("Moves on each of the last {days} days, {moves} in all").format(
        days=DAYS, moves=statistics.moved
    )
    return render(
        request,
        "web/players/figures.html",
        {"figures": statistics, "chart": bar_chart(statistics.moves, title)},
    )
