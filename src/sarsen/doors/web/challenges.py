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
from sarsen.language.terms import OFF, ON, TERMS
from sarsen.language.wording.terms import terms_words
from sarsen.services.bots.pages import list_programs
from sarsen.services.challenge_pages import challenges_of, open_challenges, view_challenge

LONGEST_USERID = 20


@dataclass(frozen=True)
class OptionField:
    """An option as a field of a form.

    Attributes:
        name: As it is typed: `-size`, `--unrated`.
        kind: `flag`, `days` or `choice`.
        choices: Values to choose from, where there are few.
        value: What a ticked flag sends.
        default: What holds unless named, in words.
    """

    name: str
    key: str
    label: str
    kind: str
    choices: tuple[str, ...] = ()
    value: str = "on"
    default: str = ""


@explains_refusals
def show_challenges(request: HttpRequest) -> HttpResponse:
    """Show the challenges that anybody may take, and the viewer's own."""
    player = speaker(request)
    facts = {
        "own": challenges_of(player) if player else (),
        "challenges": open_challenges(player),
        "programs": list_programs(),
        "games": [game.info for game in find().values()],
    }
    return render(request, "web/challenges.html", facts)


@explains_refusals
def show_challenge(request: HttpRequest, number: int) -> HttpResponse:
    """Show one challenge, with what the viewer may do about it."""
    challenge = view_challenge(number, speaker(request))
    facts = {"challenge": challenge, "agreed": terms_words(challenge.terms)}
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
            label = option.summary if "days" in option.summary else f"{option.summary}, in days"
            default = (
                f"{option.default:g}" if option.default else option.otherwise.partition(",")[0]
            )
            return OptionField(name, key, label, "days", default=default)
        case Choice(words=(first, second)) if (first, second) == (ON, OFF):
            # Its summary says what `off` means, which is what somebody would tick.
            label = option.summary.removeprefix(f"`{OFF}`: ")
            return OptionField(name, key, label, "flag", value=OFF)
        case Choice():
            return OptionField(
                name, key, option.summary, "choice", option.words, default=option.default
            )
