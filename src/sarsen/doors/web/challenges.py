"""Challenges: those that anybody may take, and a page for the whole life of each."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from sarsen.doors.web.live import challenge_news
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import speaker
from sarsen.games import find
from sarsen.language.speeds import speed_of
from sarsen.language.wording.terms import terms_words
from sarsen.services.bots.pages import list_programs
from sarsen.services.challenge_pages import challenges_of, open_challenges, view_challenge_page


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
def show_challenge(request: HttpRequest, number: int, key: str = "") -> HttpResponse:
    """Show a challenge as it stands, with what the viewer may do about it.

    Args:
        key: Of the link by which a free seat is taken; "" at the usual address.
    """
    page = view_challenge_page(number, speaker(request), key)
    challenge = page.challenge
    facts = {
        "page": page,
        "challenge": challenge,
        "agreed": terms_words(challenge.terms),
        "speed": speed_of(challenge.terms),
        "link": _link(page.link),
        "title": f"{' v '.join(challenge.names)} at {challenge.game.title}",
        "news": challenge_news(number, speaker(request)),
    }
    response = render(request, "web/challenge.html", facts)
    if key or page.link:
        # Not for histories of search engines, nor for anybody who presses "back" here later.
        response["Cache-Control"] = "private, no-store"
        response["X-Robots-Tag"] = "noindex"
    return response


def _link(taking: str) -> str:
    """Write the whole address that a maker gives away."""
    number, _, key = taking.partition("-")
    return settings.SARSEN_URL + reverse("challenge-link", args=[number, key]) if key else ""
