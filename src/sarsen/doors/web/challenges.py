"""Challenges: open ones, a page for each, and a form to make one."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.core.options import Choice, Days, Flag, Number, Option
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import speaker
from sarsen.games import find, load
from sarsen.language.commands.challenges import ANYONE
from sarsen.language.terms import TERMS
from sarsen.services.challenge_pages import challenges_of, open_challenges, view_challenge

LONGEST_USERID = 20


@dataclass(frozen=True)
class OptionField:
    """An option as a field of a form.

    Attributes:
        name: As it is typed: `-size`, `--unrated`.
        kind: `flag`, `number`, `days` or `choice`.
        choices: Values to choose from, where there are few.
    """

    name: str
    key: str
    label: str
    kind: str
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    default: str = ""


@explains_refusals
def show_challenges(request: HttpRequest) -> HttpResponse:
    """Show the challenges that anybody may take, and the viewer's own."""
    player = speaker(request)
    facts = {
        "own": challenges_of(player) if player else (),
        "challenges": open_challenges(player),
        "games": [game.info for game in find().values()],
    }
    return render(request, "web/challenges.html", facts)


@explains_refusals
def show_challenge(request: HttpRequest, number: int) -> HttpResponse:
    """Show one challenge, with what the viewer may do about it."""
    challenge = view_challenge(number, speaker(request))
    facts = {"challenge": challenge, "agreed": _agreed(challenge.terms)}
    return render(request, "web/challenge.html", facts)


@explains_refusals
def show_challenge_form(request: HttpRequest, name: str) -> HttpResponse:
    """Show a form with all options of a game and of the server."""
    info = load(name).info
    player = speaker(request)
    them = request.GET.get("with", "")[:LONGEST_USERID] or ANYONE
    seats = [player.userid if player else "", *[them] * (len(info.seats) - 1)]
    facts = {
        "game": info,
        "seats": list(zip(info.seats, seats, strict=True)),
        "options": [option_field(option, "-") for option in info.options],
        "terms": [option_field(term, "--") for term in TERMS],
    }
    return render(request, "web/challenge_form.html", facts)


def option_field(option: Option, dashes: str) -> OptionField:
    """Turn an option into a field."""
    name, key = dashes + option.name, f"option{dashes}{option.name}"
    match option:
        case Flag():
            return OptionField(name, key, option.summary, "flag")
        case Number():
            values = range(option.low, option.high + 1, option.step)
            default = str(option.default)
            return OptionField(
                name, key, option.summary, "choice", tuple(map(str, values)), default=default
            )
        case Days():
            default = "" if option.default is None else f"{option.default:g}"
            return OptionField(
                name,
                key,
                option.summary,
                "days",
                low=option.low,
                high=option.high,
                default=default,
            )
        case Choice():
            return OptionField(
                name, key, option.summary, "choice", option.words, default=option.default
            )


def _agreed(terms: str) -> list[str]:
    """Say in words what a challenge agrees on, where that is not the usual."""
    summaries = {term.name: term.summary for term in TERMS}
    said = []
    for word in terms.split():
        name, _, value = word.strip("-").partition("=")
        said.append(f"{summaries.get(name, name)}: {value}" if value else summaries.get(name, name))
    return said
