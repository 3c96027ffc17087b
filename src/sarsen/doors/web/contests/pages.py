"""The contests of this server, and the page of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.core.options import Number
from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.agreed_terms import option_words
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.live_updates import contest_news
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.visitors import has_account, speaker, zone_of
from sarsen.games import find, load
from sarsen.language.challenges import MAX_REASON
from sarsen.language.contests.commands import MAX_NAME
from sarsen.language.contests.facts import ContestLine
from sarsen.language.contests.law import FORMAT_NAMES, FORMAT_WORDS, LADDER, LAWS
from sarsen.language.grammar.dates import day_words, moment
from sarsen.language.translating import translated
from sarsen.services.accounts.passwords import MAX_USERID
from sarsen.services.contests.views.ladders import all_ladders
from sarsen.services.contests.views.listing import list_contests
from sarsen.services.contests.views.pages import view_page
from sarsen.services.contests.views.wording import last_day

DAYS = ("days", (30, 60, 90, 120, 180))
# The options that the form of each kind offers, and their values there.
FIELDS: Mapping[str, tuple[tuple[str, tuple[int, ...]], ...]] = {
    "round-robin": (("most", (3, 4, 5, 6, 7, 8, 10, 12, 16)), ("games", (1, 2)), DAYS),
    "league": (DAYS,),
    "match": (("games", (1, 2, 4, 6, 8, 10)), DAYS),
    "ladder": (DAYS,),
}
RELIABLE = (70, 80, 90, 95)  # per cent
MAX_OPTIONS = 100  # characters of what is typed for the game


@require_safe
@takes({"kind": tuple(FORMAT_NAMES)})
def show_contests(request: HttpRequest) -> HttpResponse:
    """List one's own contests, the others by how far they have come, and a form to make one."""
    today, player = timezone.now().date(), speaker(request)
    mine = list_contests(viewer=player, player=player, still_in=True) if player else ()
    listed = {contest.number for contest in mine}
    groups = [("mine", [_shown(contest, today) for contest in mine])] + [
        (
            which,
            [
                _shown(contest, today)
                for contest in list_contests(which=which, viewer=player)
                if contest.number not in listed
            ],
        )
        for which in ("open", "running", "ended")
    ]
    facts = {
        "groups": groups,
        "has_own": bool(mine),
        "may_make": has_account(request),
        **_form(request),
    }
    return render(request, "web/contests/list.html", facts)


def _form(request: HttpRequest) -> dict[str, Any]:
    """Return what the form to make a contest offers: the fields of the kind that was chosen."""
    asked = request.GET.get("kind", "")
    kind = asked if asked in FORMAT_NAMES else next(iter(FORMAT_NAMES))
    usual = {option.name: option.default for option in LAWS[kind] if isinstance(option, Number)}
    games = [game.info for game in find().values() if len(game.info.seats) == 2]
    # A second ladder of a game would be refused.
    ladders = all_ladders() if kind == LADDER else {}
    return {
        "games": [info for info in games if info.name not in ladders],
        "ladders": [(info.title, ladders[info.name]) for info in games if info.name in ladders],
        "kinds": FORMAT_NAMES.items(),
        "kind": kind,
        "about": Phrase(FORMAT_WORDS[kind]),
        "fields": [(name, values, usual[name]) for name, values in FIELDS[kind]],
        "opponent": request.GET.get("with", "")[:MAX_USERID],
        "longest_userid": MAX_USERID,
        "reliable": RELIABLE,
        "longest": MAX_NAME,
        "longest_options": MAX_OPTIONS,
    }


def _shown(contest: ContestLine, today: date) -> tuple[ContestLine, str, str]:
    """Return a contest with what is played, and the day on which entry, or all of it, ends."""
    kind = translated(FORMAT_NAMES[contest.format])
    game = load(contest.game).info
    title = ", ".join((game.title, *option_words(contest.options, game)))
    end = contest.starts_at if contest.state == "open" else contest.ends_at
    return contest, f"{title} · {kind}", day_words(last_day(end), today) if end else ""


@require_safe
@takes({"tier": NUMBER})
@with_refusal_pages
def show_contest(request: HttpRequest, number: int) -> HttpResponse:
    """Show the table of a contest, its law, and what its visitor may do."""
    viewer, now = speaker(request), timezone.now()
    tier = request.GET.get("tier", "")
    asked = int(tier) if re.fullmatch(r"[0-9]{1,4}", tier) else None
    # The stamp is older than the page: what comes between is news there.
    news = contest_news(number, viewer)
    page, zone = view_page(number, viewer, now, asked), zone_of(request)
    facts = {
        "contest": page,
        "may_join": page.may_join and has_account(request),
        "may_wait": page.may_wait and not page.may_join and has_account(request),
        "log": [(happening, moment(happening.at, zone, now)) for happening in page.log],
        "news": news,
        "longest_reason": MAX_REASON,
    }
    return render(request, "web/contests/page.html", facts)
