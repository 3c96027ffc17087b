"""The page on which somebody chooses colours, with or without an account."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from sarsen.doors.web.frame.colour_choice import COOKIE, ColourChoice, colours_of
from sarsen.doors.web.frame.visitors import REVALIDATED, keep_preference, local_path, speaker
from sarsen.games import names
from sarsen.language.translating import N_
from sarsen.services.accounts.preferences import remember


@dataclass(frozen=True)
class ColourOption:
    """A choice of the form: its value, its title, and a description."""

    value: str
    title: str
    about: str


MODES = (
    ColourOption("", N_("Same as this device"), N_("light or dark, as this device is set")),
    ColourOption("light", N_("Light"), ""),
    ColourOption("dark", N_("Dark"), ""),
)
PALETTES = (
    ColourOption("", N_("Default"), N_("red and blue; high contrast if this device is set to it")),
    ColourOption("wood", N_("Wood"), N_("red and blue pieces on a wooden board")),
    ColourOption("ebony", N_("White and black"), N_("white and black pieces on wood")),
    ColourOption(
        "safe",
        N_("Colour-blind safe"),
        N_("orange and dark blue, easy to tell apart for everyone"),
    ),
    ColourOption("contrast", N_("High contrast"), N_("strong colours, strong lines, stripes")),
)


def show_colours(request: HttpRequest) -> HttpResponse:
    """Show the choice of colours; a POST keeps it, in this browser and in the account."""
    back = local_path(request.POST.get("back", request.GET.get("back", "")))
    if request.method == "POST":
        return _choose(request, back)
    facts = {**facts_to_choose(colours_of(request)), "back": back}
    response = render(request, "web/account/colours.html", facts)
    response["Cache-Control"] = REVALIDATED
    return response


def facts_to_choose(chosen: ColourChoice) -> dict[str, object]:
    """Return what the form of colours shows, with these ticked."""
    return {
        "chosen": chosen,
        "modes": MODES,
        "palettes": PALETTES,
        "games": names(),
    }


def _choose(request: HttpRequest, back: str) -> HttpResponse:
    query = f"?{urlencode({'back': back})}" if back else ""
    response = redirect(f"{reverse('colours')}{query}")
    save_colours(request, response, ColourChoice.of(request.POST))
    return response


def save_colours(request: HttpRequest, response: HttpResponse, chosen: ColourChoice) -> None:
    """Keep colours for this browser, and for the account."""
    player = speaker(request)
    if player is not None:
        remember(player, chosen.write())
    keep_preference(request, response, COOKIE, chosen.write())
