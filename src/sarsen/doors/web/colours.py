"""The page on which somebody chooses colours, with an account or without, with script or not."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from sarsen.doors.web.chosen import COOKIE, Chosen, chosen_by
from sarsen.doors.web.speaker import local_path, speaker
from sarsen.games import names
from sarsen.services.colours import remember

A_YEAR = 365 * 86_400  # seconds


@dataclass(frozen=True)
class Choice:
    """One thing to choose: how the form sends it, what it is called, and what it is like."""

    value: str
    title: str
    about: str


MODES = (
    Choice("", "As this device", "light by day and dark by night, where it does that"),
    Choice("light", "Light", ""),
    Choice("dark", "Dark", ""),
)
PALETTES = (
    Choice("", "Usual", "red and blue; high contrast where this device asks for it"),
    Choice("safe", "Colour-blind safe", "orange and dark blue, far apart for every eye"),
    Choice("contrast", "High contrast", "strong colours, strong lines, stripes"),
)


def show_colours(request: HttpRequest) -> HttpResponse:
    """Show what there is to choose; a POST chooses it, here and for the account."""
    back = local_path(request.POST.get("back", request.GET.get("back", "")))
    if request.method == "POST":
        return _choose(request, back)
    facts = {
        "chosen": chosen_by(request),
        "modes": MODES,
        "palettes": PALETTES,
        "games": names(),
        "back": back,
    }
    response = render(request, "web/colours.html", facts)
    response["Cache-Control"] = "private, no-cache"
    return response


def _choose(request: HttpRequest, back: str) -> HttpResponse:
    chosen = Chosen.of(
        request.POST.get("mode", ""),
        request.POST.get("palette", ""),
        is_striped=request.POST.get("striped") == "on",
    )
    player = speaker(request)
    if player is not None:
        remember(player, chosen.write())
    query = f"?{urlencode({'back': back})}" if back else ""
    response = redirect(f"{reverse('colours')}{query}")
    response.set_cookie(
        COOKIE,
        chosen.write(),
        max_age=A_YEAR,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response
